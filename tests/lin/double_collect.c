// expect: verified options: --cflags -DBUG=0
// expect: bug not-wait-free options: --cflags -DBUG=1
// expect: verified options: --cflags -DBUG=2
//
// Two registers that are read together: again and again until nothing has changed in between.
//
// BUG=0: scan promises to be obstruction-free, and is. BUG=1: it promises to be wait-free, but a round that finds a change only reads, and
// is followed by another. BUG=2: enough steps for the rounds that two writes can cause.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct pair {
    atomic_int x, y;
};

static void *create(void)
{
    return calloc(1, sizeof(struct pair));
}

static int64_t set_x(void *object, const int64_t *argument)
{
    atomic_store(&((struct pair *)object)->x, (int)argument[0]);
    return HEDDLE_NIL;
}

static int64_t set_y(void *object, const int64_t *argument)
{
    atomic_store(&((struct pair *)object)->y, (int)argument[0]);
    return HEDDLE_NIL;
}

static int64_t scan(void *object, const int64_t *argument)
{
    struct pair *p = object;
    (void)argument;
    for (;;) {
        int x = atomic_load(&p->x), y = atomic_load(&p->y);
        if (x == atomic_load(&p->x) && y == atomic_load(&p->y))
            return 100 * x + y;
    }
}

#if BUG == 0
#define PROMISE .progress = HEDDLE_OBSTRUCTION_FREE
#else
#define PROMISE .progress = HEDDLE_WAIT_FREE, .steps = BUG == 1 ? 4 : 16
#endif

heddle_lin(.create = create, .destroy = free,
           .operations = {{"set_x", set_x, {HEDDLE_FRESH}, .by = 1, .progress = HEDDLE_WAIT_FREE, .steps = 1},
                          {"set_y", set_y, {HEDDLE_FRESH}, .by = 2, .progress = HEDDLE_WAIT_FREE, .steps = 1},
                          {"scan", scan, PROMISE}});
