// A ladder: one thread counts up, another has to see every single value, in order, before it fails. Each rung needs its
// own preemption, so the bug is as deep as the ladder is long.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef RUNGS
#define RUNGS 10
#endif

static atomic_int rung;

static void *count(void *unused)
{
    for (int i = 1; i <= RUNGS; i++)
        atomic_store(&rung, i);
    return unused;
}

static void *climb(void *unused)
{
    for (int i = 1; i <= RUNGS; i++)
        if (atomic_load(&rung) != i)
            return unused;
    assert(!"every value was seen");
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, count, NULL);
    pthread_create(&thread[1], NULL, climb, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
