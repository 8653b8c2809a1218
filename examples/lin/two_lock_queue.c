// The two-lock queue of Michael and Scott: one lock for the head, one for the tail, and a dummy node between them.
//
// BUG=1: dequeue lets the head's lock go before it moves the head.
// BUG=2: enqueue reads the tail before it takes the tail's lock.
// BUG=3: dequeue does not take the lock when it looks whether the queue is empty, and does not look again.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct node {
    int64_t value;
    _Atomic(struct node *) next; // the one thing that both sides touch
};

struct queue {
    pthread_mutex_t head_lock, tail_lock;
    struct node *head, *tail;
};

static void *create(void)
{
    struct queue *q = malloc(sizeof *q);
    pthread_mutex_init(&q->head_lock, NULL);
    pthread_mutex_init(&q->tail_lock, NULL);
    q->head = q->tail = calloc(1, sizeof *q->head);
    return q;
}

static int64_t enqueue(void *object, const int64_t *argument)
{
    struct queue *q = object;
    struct node *n = calloc(1, sizeof *n);
    n->value = argument[0];
#if BUG == 2
    struct node *tail = q->tail;
    pthread_mutex_lock(&q->tail_lock);
#else
    pthread_mutex_lock(&q->tail_lock);
    struct node *tail = q->tail;
#endif
    atomic_store(&tail->next, n);
    q->tail = n;
    pthread_mutex_unlock(&q->tail_lock);
    return HEDDLE_NIL;
}

static int64_t dequeue(void *object, const int64_t *argument)
{
    (void)argument;
    struct queue *q = object;
#if BUG == 3
    struct node *next = atomic_load(&q->head->next);
    if (!next)
        return HEDDLE_NIL;
    pthread_mutex_lock(&q->head_lock);
#else
    pthread_mutex_lock(&q->head_lock);
    struct node *next = atomic_load(&q->head->next);
#endif
#if BUG == 1
    pthread_mutex_unlock(&q->head_lock);
    if (!next)
        return HEDDLE_NIL;
    q->head = next;
    return next->value;
#else
    if (next)
        q->head = next;
    pthread_mutex_unlock(&q->head_lock);
    return next ? next->value : HEDDLE_NIL;
#endif
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"enqueue", enqueue, {HEDDLE_FRESH}}, {"dequeue", dequeue}});
