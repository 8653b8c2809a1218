// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable options: --cflags -DBUG=1
// expect: bug not-linearizable options: --cflags -DBUG=2
// expect: bug not-linearizable client=put(1) put(2) | take() options: --cflags -DQUEUE=0
// expect: verified options: --cflags -DQUEUE=1
//
// Two locked queues side by side. Values go into one of them by turns, so the oldest need not come out first: it is a bag, and
// with two lanes no more than a queue out of order.
//
// BUG=1: take gives up when the first lane is empty, although the bag is not.
// BUG=2: what is taken stays there.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>
#include <heddle/relaxed.h>

#ifndef BUG
#define BUG 0
#endif

enum { ROOM = 16 };

struct bag {
    pthread_mutex_t lock;
    int64_t turn, count[2], value[2][ROOM];
};

static void *create(void)
{
    struct bag *b = calloc(1, sizeof *b);
    pthread_mutex_init(&b->lock, NULL);
    return b;
}

static int64_t put(void *object, const int64_t *argument)
{
    struct bag *b = object;
    pthread_mutex_lock(&b->lock);
    int64_t lane = b->turn++ % 2;
    b->value[lane][b->count[lane]++] = argument[0];
    pthread_mutex_unlock(&b->lock);
    return HEDDLE_NIL;
}

static int64_t take_from(struct bag *b, int64_t lane)
{
    int64_t value = b->value[lane][0];
    for (int64_t i = 1; i < b->count[lane]; i++)
        b->value[lane][i - 1] = b->value[lane][i];
    if (BUG != 2)
        b->count[lane]--;
    return value;
}

static int64_t take(void *object, const int64_t *argument)
{
    struct bag *b = object;
    int64_t value = HEDDLE_NIL;
    (void)argument;
    pthread_mutex_lock(&b->lock);
    for (int64_t lane = 1; lane >= (BUG == 1); lane--)
        if (b->count[lane] && value == HEDDLE_NIL)
            value = take_from(b, lane);
    pthread_mutex_unlock(&b->lock);
    return value;
}

#ifdef QUEUE
HEDDLE_OUT_OF_ORDER_QUEUE(model, QUEUE, "put", "take");
#else
HEDDLE_BAG(model, "put", "take");
#endif

heddle_lin(.model = &model, .create = create, .destroy = free,
           .operations = {{"put", put, {HEDDLE_FRESH}}, {"take", take}});
