// expect: nothing
// What one thread posts another one takes: the semaphore is no lock, although it has one token at the beginning, and orders the two.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t mine, yours;
static int turns;

static void *work(void *unused)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&yours);
        turns++;
        sem_post(&mine);
    }
    return unused;
}

int main(void)
{
    pthread_t a;
    sem_init(&mine, 0, 1);
    sem_init(&yours, 0, 0);
    pthread_create(&a, NULL, work, NULL);
    for (int i = 0; i < 2; i++) {
        sem_wait(&mine);
        assert(turns == i);
        sem_post(&yours);
    }
    pthread_join(a, NULL);
    return 0;
}
