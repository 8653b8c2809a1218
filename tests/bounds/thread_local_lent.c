// expect: verified
// Threads one after the other lend a thread-local variable, and wait until it is no longer used.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static __thread int own, other = 5;
static int *lent;
static sem_t ready, done;

static void *lend(void *unused)
{
    assert(own == 0 && other == 5);
    lent = &own;
    sem_post(&ready);
    sem_wait(&done);
    assert(own == 2);
    other = 6;
    return unused;
}

int main(void)
{
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, lend, NULL);
        sem_wait(&ready);
        *lent = 2;
        sem_post(&done);
        pthread_join(thread, NULL);
    }
    own = 1;
    assert(own == 1);
}
