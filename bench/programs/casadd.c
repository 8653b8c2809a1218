// Four threads add 1 to a cell by compare-and-swap, each with at most three tries; a failed try brings the value that
// the next one expects. A failed compare-and-swap is a read. 192 traces for N = 4: 24 orders of success, and in
// each the third thread may have failed in 2 ways before, the fourth in 4 (in one of them for the third and last time).
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif

enum { TRIES = 3 };

static atomic_int cell;

static void *worker(void *unused)
{
    (void)unused;
    int seen = 0;
    for (int try = 0; try < TRIES; try++)
        if (atomic_compare_exchange_strong(&cell, &seen, seen + 1))
            break;
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
