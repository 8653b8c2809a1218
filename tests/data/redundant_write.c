// A race that a depth-first search of `peek() | pulse()` passes by in a known state: that `peek` has written what was there
// anyway, or has not, looks the same afterwards; and the write of `pulse` races only with the first.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct object {
    _Atomic int64_t signal, other;
    int64_t plain;
};

static void *create(void)
{
    return calloc(1, sizeof(struct object));
}

// Far down the stack, so that nothing of this is left where the thread waits next.
static __attribute__((noinline)) void clear(struct object *o)
{
    char room[1000];
    __asm__ volatile("" : : "r"(room) : "memory");
    o->plain = 0;
}

static int64_t peek(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    if (atomic_load(&o->signal))
        clear(o);
    atomic_load(&o->other);
    return 0;
}

static int64_t pulse(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    atomic_store(&o->signal, 1);
    atomic_store(&o->signal, 0);
    o->plain = 1;
    return 0;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"peek", peek}, {"pulse", pulse}});
