// expect: verified
// Mutual exclusion by flags with five values, for two threads that come twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2, TIMES = 2 };

static _Atomic int flag[THREADS], inside;

static void *enter(void *number)
{
    int me = (int)(long)number, other = 1 - me;
    for (int n = 0; n < TIMES; n++) {
        atomic_store(&flag[me], 1);
        while (atomic_load(&flag[other]) >= 3)
            ;
        atomic_store(&flag[me], 3);
        if (atomic_load(&flag[other]) == 1) {
            atomic_store(&flag[me], 2);
            while (atomic_load(&flag[other]) != 4)
                ;
        }
        atomic_store(&flag[me], 4);
        while (me > 0 && atomic_load(&flag[other]) >= 2)
            ;
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
        for (int seen = 2; me == 0 && (seen == 2 || seen == 3);)
            seen = atomic_load(&flag[other]);
        atomic_store(&flag[me], 0);
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, enter, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
