// The queue of Michael and Scott (PODC 1996) without counters: nodes are not given back.
//
// BUG=1: dequeue stores the new head instead of swapping it in: a value can be taken twice.
// BUG=2: enqueue stores the new node behind the last one instead of swapping it in: a value can be lost.
// BUG=3: dequeue looks at the head once more after it has looked at what follows it.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct node {
    int64_t value;
    _Atomic(struct node *) next;
};

struct queue {
    _Atomic(struct node *) head, tail;
};

static void *create(void)
{
    struct queue *q = malloc(sizeof *q);
    struct node *dummy = calloc(1, sizeof *dummy);
    atomic_init(&q->head, dummy);
    atomic_init(&q->tail, dummy);
    return q;
}

static int64_t enqueue(void *object, const int64_t *argument)
{
    struct queue *q = object;
    struct node *n = calloc(1, sizeof *n), *tail, *next;
    n->value = argument[0];
    for (;;) {
        tail = atomic_load(&q->tail);
        next = atomic_load(&tail->next);
        if (next) {
            atomic_compare_exchange_strong(&q->tail, &tail, next);
            continue;
        }
#if BUG == 2
        atomic_store(&tail->next, n);
        break;
#else
        if (atomic_compare_exchange_strong(&tail->next, &next, n))
            break;
#endif
    }
    atomic_compare_exchange_strong(&q->tail, &tail, n);
    return HEDDLE_NIL;
}

static int64_t dequeue(void *object, const int64_t *argument)
{
    (void)argument;
    struct queue *q = object;
    for (;;) {
        struct node *head = atomic_load(&q->head), *tail = atomic_load(&q->tail), *next = atomic_load(&head->next);
        if (head == tail) {
            if (!next)
                return HEDDLE_NIL;
            atomic_compare_exchange_strong(&q->tail, &tail, next);
            continue;
        }
        if (!next) // head has moved on since
            continue;
#if BUG == 3
        head = atomic_load(&q->head);
#endif
#if BUG == 1
        atomic_store(&q->head, next);
        return next->value;
#else
        if (atomic_compare_exchange_strong(&q->head, &head, next))
            return next->value;
#endif
    }
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"enqueue", enqueue, {HEDDLE_FRESH}}, {"dequeue", dequeue}});
