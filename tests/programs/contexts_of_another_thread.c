// expect: incomplete
// A context on the stack of another thread is not followed.
#include <pthread.h>
#include <semaphore.h>
#include <ucontext.h>

static ucontext_t context;
static sem_t kept;
static int again;

static void *keeper(void *argument)
{
    getcontext(&context);
    if (!again)
        sem_post(&kept);
    return argument;
}

static void *taker(void *argument)
{
    sem_wait(&kept);
    again = 1;
    setcontext(&context);
    return argument;
}

int main(void)
{
    pthread_t t, u;
    sem_init(&kept, 0, 0);
    pthread_create(&t, NULL, keeper, NULL);
    pthread_create(&u, NULL, taker, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
}
