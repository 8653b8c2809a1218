// A list of free cells with a compare-and-swap on its head alone. A thread that was interrupted while it takes the first cell
// may find the same cell in front again after others took two and gave one back: it then gives out a cell that is in use.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 4
#endif
enum { CELLS = 6, NONE = -1 };

static atomic_int first, used[CELLS], next[CELLS];

static int take(void)
{
    int cell = atomic_load(&first);
    while (cell != NONE) {
        int second = atomic_load(&next[cell]);
        if (atomic_compare_exchange_strong(&first, &cell, second))
            break;
    }
    if (cell != NONE)
        assert(atomic_fetch_add(&used[cell], 1) == 0);
    return cell;
}

static void give(int cell)
{
    if (cell == NONE)
        return;
    atomic_fetch_sub(&used[cell], 1);
    int head = atomic_load(&first);
    do
        atomic_store(&next[cell], head);
    while (!atomic_compare_exchange_strong(&first, &head, cell));
}

static void *work(void *unused)
{
    int a = take(), b = take();
    give(a);
    a = take();
    give(b);
    give(a);
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < CELLS; i++)
        atomic_init(&next[i], i + 1 < CELLS ? i + 1 : NONE);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
