// expect: bug deadlock
// Three threads need two units each of three.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t units;

static void *worker(void *unused)
{
    (void)unused;
    sem_wait(&units);
    sem_wait(&units);
    sem_post(&units);
    sem_post(&units);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&units, 0, 3);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
