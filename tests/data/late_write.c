// A race that matched states pass by unless what threads know of each other belongs to a state. Depending on when `publish` first
// looked at the mode, it writes `plain` before or after it sets the flag, and comes to the same memory both times. Only if it was
// after that does `replace`, which has seen the flag, race with it; and `replace` takes two steps from the flag to its write.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct object {
    _Atomic int64_t mode, flag, other;
    int64_t plain;
};

static void *create(void)
{
    return calloc(1, sizeof(struct object));
}

static int64_t prepare(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    atomic_store(&o->mode, 1);
    atomic_store(&o->mode, 2);
    return 0;
}

// Far down the stack, so that nothing of this is left where the thread waits next.
static __attribute__((noinline)) void write_both(struct object *o, int64_t first)
{
    char room[1000];
    __asm__ volatile("" : : "r"(room) : "memory");
    if (first == 2) {
        o->plain = 1;
        atomic_store(&o->flag, 1);
    } else {
        atomic_store(&o->flag, 1);
        o->plain = 1;
    }
}

static int64_t publish(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    int64_t first = atomic_load(&o->mode);
    if (first && atomic_load(&o->mode) == 2)
        write_both(o, first);
    first = 0;
    __asm__ volatile("" : "+r"(first)::"memory");
    atomic_load(&o->other);
    return 0;
}

static int64_t replace(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    if (!atomic_load(&o->flag))
        return 0;
    atomic_load(&o->other);
    o->plain = 2;
    return 0;
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"prepare", prepare}, {"publish", publish}, {"replace", replace}});
