// N threads add 1 to a cell: load it, compare-and-swap, at most three tries. A failed compare-and-swap is a read.
// 4 traces for N = 2, 60 for N = 3, 3,120 for N = 4.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

enum { TRIES = 3 };

static atomic_int x;

static void *worker(void *unused)
{
    (void)unused;
    for (int try = 0; try < TRIES; try++) {
        int seen = atomic_load(&x);
        if (atomic_compare_exchange_strong(&x, &seen, seen + 1))
            break;
    }
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
