// expect: verified
//
// A counter behind a lock of its own making: a call that stops while it has the lock keeps others going round for ever. Looking
// at the counter needs no lock.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct counter {
    atomic_int taken;
    _Atomic int64_t count;
};

static void *create(void)
{
    return calloc(1, sizeof(struct counter));
}

static int64_t add(void *object, const int64_t *argument)
{
    (void)argument;
    struct counter *c = object;
    while (atomic_exchange(&c->taken, 1)) {
    }
    int64_t before = atomic_load(&c->count);
    atomic_store(&c->count, before + 1);
    atomic_store(&c->taken, 0);
    return before;
}

static int64_t look(void *object, const int64_t *argument)
{
    (void)argument;
    return atomic_load(&((struct counter *)object)->count);
}

heddle_lin(.create = create, .destroy = free, .operations = {{"add", add}, {"look", look}});
