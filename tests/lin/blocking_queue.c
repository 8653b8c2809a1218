// expect: verified options: --total 3
// expect: bug deadlock client=put(1) | take() options: --cflags -DBUG=1
// expect: bug deadlock options: --cflags -DBUG=2
//
// take waits until there is something. That it waits for ever in an empty queue is as it should be; that it does so next to
// a value (BUG=1: put wakes nobody; BUG=2: it wakes one taker when the queue was empty, and there may be two) is not.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    int64_t value[16];
    unsigned head, tail;
};

static void *create(void)
{
    struct queue *q = calloc(1, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->filled, NULL);
    return q;
}

static int64_t put(void *object, const int64_t *argument)
{
    struct queue *q = object;
    pthread_mutex_lock(&q->lock);
    int was_empty = q->head == q->tail;
    q->value[q->tail++] = argument[0];
    if (BUG == 0 || (BUG == 2 && was_empty))
        pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
    return HEDDLE_NIL;
}

static int64_t take(void *object, const int64_t *argument)
{
    (void)argument;
    struct queue *q = object;
    pthread_mutex_lock(&q->lock);
    while (q->head == q->tail)
        pthread_cond_wait(&q->filled, &q->lock);
    int64_t value = q->value[q->head++];
    pthread_mutex_unlock(&q->lock);
    return value;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"put", put, {HEDDLE_FRESH}}, {"take", take}});
