// expect: verified
// Four threads add by compare-and-swap, again until it succeeds, three times each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 4, TIMES = 3 };

static _Atomic int sum;

static void *add(void *nothing)
{
    for (int n = 0; n < TIMES; n++) {
        int old = atomic_load(&sum);
        while (!atomic_compare_exchange_strong(&sum, &old, old + 1))
            ;
    }
    return nothing;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(atomic_load(&sum) == THREADS * TIMES);
    return 0;
}
