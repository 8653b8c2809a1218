// expect: verified
// A poller that looks under a semaphore: taking from it and giving back is nothing that others could see.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int flag;

static void *poll(void *nothing)
{
    for (int seen = 0; !seen;) {
        sem_wait(&s);
        seen = flag;
        sem_post(&s);
    }
    return nothing;
}

int main(void)
{
    pthread_t thread;
    sem_init(&s, 0, 1);
    pthread_create(&thread, NULL, poll, NULL);
    sem_wait(&s);
    flag = 1;
    sem_post(&s);
    pthread_join(thread, NULL);
    assert(flag);
}
