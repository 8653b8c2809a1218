// A ticket lock: draw a number, wait until it is served.
//
// WRONG draws the number by a load and a store: two threads may hold the same one, and be in the critical section
// together.
//
// heddle check examples/ticket_lock.c        verified (the spin loop ends: a spinner waits until what it read changes)
// heddle check examples/ticket_lock_wrong.c  bug: race on `count`
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3 };

static atomic_int next_ticket, served;
static int count; // protected by the lock

static int lock(void)
{
#ifdef WRONG
    int mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
#else
    int mine = atomic_fetch_add(&next_ticket, 1);
#endif
    while (atomic_load(&served) < mine) // not `!=`: with WRONG the number may be past already
        ;
    return mine;
}

static void unlock(int mine)
{
    atomic_store(&served, mine + 1);
}

static void *worker(void *unused)
{
    (void)unused;
    int mine = lock();
    count++;
    unlock(mine);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(count == THREADS);
    return 0;
}
