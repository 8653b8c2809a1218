// expect: bug double-free
// Both threads find the block not yet freed. The calls of free are ordered by the mutex, so there is no race.
#include <pthread.h>
#include <stddef.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int freed;
static void *block;

static void *worker(void *unused)
{
    (void)unused;
    if (!atomic_load(&freed)) {
        atomic_store(&freed, 1);
        pthread_mutex_lock(&mutex);
        free(block);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    block = malloc(16);
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
