// THREADS counters that their threads step up, STEPS times each: (STEPS + 1)^THREADS states of the counters alone, each of them reached in
// many ways. Nothing depends on anything, so that only a search that takes every state (--strategy states) comes to all of them.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef STEPS
#define STEPS 20
#endif

static atomic_int counters[THREADS];

static void *count(void *own)
{
    for (int i = 1; i <= STEPS; i++)
        atomic_store((atomic_int *)own, i);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, count, &counters[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
