// SafeStack, as Dmitry Vyukov describes it (2010): a stack of free indices without a lock. Taking marks the top item's link
// as taken, so that no second thread takes it, and puts the link back if the stack has changed. With three threads, and
// no fewer than five preemptions, two of them can still own one item.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { THREADS = 3, ITEMS = 3 };
#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int head, count = ITEMS;
static atomic_int next[ITEMS] = {1, 2, -1};
static atomic_int owners[ITEMS];

static int pop(void)
{
    while (atomic_load(&count) > 1) {
        int top = atomic_load(&head);
        int below = atomic_exchange(&next[top], -1);
        if (below < 0)
            continue;
        int expected = top;
        if (atomic_compare_exchange_strong(&head, &expected, below)) {
            atomic_fetch_sub(&count, 1);
            return top;
        }
        atomic_exchange(&next[top], below);
    }
    return -1;
}

static void push(int item)
{
    int top = atomic_load(&head);
    do
        atomic_store(&next[item], top);
    while (!atomic_compare_exchange_strong(&head, &top, item));
    atomic_fetch_add(&count, 1);
}

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        int item;
        do
            item = pop();
        while (item < 0);
        assert(atomic_fetch_add(&owners[item], 1) == 0);
        atomic_fetch_sub(&owners[item], 1);
        push(item);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
