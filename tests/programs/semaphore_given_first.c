// expect: verified
// One that gives to a semaphore and takes back goes round with something that others can have: whoever waits gets it.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t s;
static atomic_int done;

static void *give(void *nothing)
{
    while (!done) {
        sem_post(&s);
        sem_wait(&s);
    }
    return nothing;
}

int main(void)
{
    pthread_t thread;
    sem_init(&s, 0, 0);
    pthread_create(&thread, NULL, give, NULL);
    sem_wait(&s);
    done = 1;
    sem_post(&s);
    pthread_join(thread, NULL);
}
