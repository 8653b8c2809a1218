// expect: verified options: --cflags -DBUG=0
// expect: bug options: --cflags -DBUG=1
// expect: bug not-wait-free client=add() | add() options: --cflags -DBUG=2
// expect: verified options: --cflags -DBUG=3
//
// A counter that promises how its operations get on.
//
// BUG=1: add promises to be lock-free and takes a lock.
// BUG=2: add promises to be wait-free, with two steps, and tries again and again.
// BUG=3: the same, but it promises to be lock-free, which is right.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct counter {
    atomic_bool locked;
    atomic_int count;
};

static void *create(void)
{
    return calloc(1, sizeof(struct counter));
}

static int64_t add(void *object, const int64_t *argument)
{
    struct counter *c = object;
    int count = atomic_load(&c->count);
    (void)argument;
    if (BUG == 0)
        return atomic_fetch_add(&c->count, 1);
    while (BUG == 1 && atomic_exchange(&c->locked, true))
        ;
    while (!atomic_compare_exchange_strong(&c->count, &count, count + 1))
        ;
    if (BUG == 1)
        atomic_store(&c->locked, false);
    return count;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct counter *c = object;
    (void)argument;
    return atomic_load(&c->count);
}

#if BUG == 1 || BUG == 3
#define PROMISE .progress = HEDDLE_LOCK_FREE
#else
#define PROMISE .progress = HEDDLE_WAIT_FREE, .steps = 2
#endif

heddle_lin(.create = create, .destroy = free,
           .operations = {{"add", add, PROMISE}, {"get", get, .progress = HEDDLE_WAIT_FREE, .steps = 1}});
