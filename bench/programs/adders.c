// THREADS threads add to one counter, TIMES times each, and nobody looks at what the additions return: whatever their order is, all that can be told
// apart is how many were made. -DSECTIONS: under one lock each thread writes a variable of its own, so that no two critical sections have anything in common.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef TIMES
#define TIMES 3
#endif

static atomic_int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int own[THREADS];

static void *work(void *number)
{
    for (int i = 0; i < TIMES; i++) {
#ifdef SECTIONS
        pthread_mutex_lock(&lock);
        own[(size_t)number]++;
        pthread_mutex_unlock(&lock);
#else
        (void)number;
        atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    int sum = atomic_load(&counter);
    for (size_t i = 0; i < THREADS; i++)
        sum += own[i];
    assert(sum == THREADS * TIMES);
    return 0;
}
