// The queue of Michael and Scott: a list with a dummy node in front; an enqueuer links its node behind the last one and
// then moves the tail, which others may have to do for it. Nodes are never freed.
//
// WRONG moves the head by a store instead of a compare-and-swap: two dequeuers that have read the same head both take
// the node behind it.
//
// heddle check examples/ms_queue.c        verified
// heddle check examples/ms_queue_wrong.c  bug: assertion (the same value is dequeued twice)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *_Atomic next;
    int value; // written before the node is linked, never after
};

static struct node dummy;
static struct node *_Atomic head = &dummy, *_Atomic tail = &dummy;

static void enqueue(struct node *mine, int value)
{
    mine->value = value;
    for (;;) {
        struct node *last = atomic_load(&tail), *next = NULL;
        if (atomic_compare_exchange_strong(&last->next, &next, mine)) {
            atomic_compare_exchange_strong(&tail, &last, mine);
            return;
        }
        atomic_compare_exchange_strong(&tail, &last, next); // it lags behind: help
    }
}

static bool take(struct node *first, struct node *next)
{
#ifdef WRONG
    (void)first;
    atomic_store(&head, next);
    return true;
#else
    return atomic_compare_exchange_strong(&head, &first, next);
#endif
}

// The oldest value, or 0 if the queue is empty.
static int dequeue(void)
{
    for (;;) {
        struct node *first = atomic_load(&head), *last = atomic_load(&tail);
        struct node *next = atomic_load(&first->next);
        if (!next)
            return 0;
        if (first == last)
            atomic_compare_exchange_strong(&tail, &last, next); // or the head would overtake it
        else if (take(first, next))
            return next->value;
    }
}

static struct node node[3];
static int taken[3];

static void *enqueuer(void *unused)
{
    (void)unused;
    enqueue(&node[2], 2);
    taken[1] = dequeue();
    return NULL;
}

static void *dequeuer(void *unused)
{
    (void)unused;
    taken[2] = dequeue();
    return NULL;
}

int main(void)
{
    enqueue(&node[1], 1);
    pthread_t one, two;
    pthread_create(&one, NULL, enqueuer, NULL);
    pthread_create(&two, NULL, dequeuer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    // Never empty: 1 was there from the start, and who dequeues after its own enqueue finds at least one.
    assert(taken[1] && taken[2]);
    assert(taken[1] != taken[2]);
    assert(dequeue() == 0);
    return 0;
}
