// expect: bug not-linearizable client=try_add() | try_add()
// expect: verified options: --may-fail try_add
//
// An operation that gives up if somebody else is at it. One call at a time it never does.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct counter {
    pthread_mutex_t lock;
    int64_t count;
};

static void *create(void)
{
    struct counter *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

static int64_t try_add(void *object, const int64_t *argument)
{
    (void)argument;
    struct counter *c = object;
    if (pthread_mutex_trylock(&c->lock))
        return HEDDLE_NIL;
    int64_t before = c->count++;
    pthread_mutex_unlock(&c->lock);
    return before;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"try_add", try_add, .failure = HEDDLE_NIL}});
