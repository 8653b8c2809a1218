// Two threads with K critical sections each under one mutex: (2K)! / (K!)^2 traces, 48,620 for K = 9.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef K
#define K 9
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused)
{
    (void)unused;
    for (int i = 0; i < K; i++) {
        pthread_mutex_lock(&mutex);
        counter++;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2 * K);
    return 0;
}
