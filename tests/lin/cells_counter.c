// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable client=add(1) add(2) | get() options: --cflags -DSTRICT
// expect: bug not-linearizable options: --cflags -DBUG=1
// expect: bug not-linearizable options: --cflags -DBUG=2
//
// A counter in two cells. Its sum is read cell by cell, so that it may have the second of two adds without the first: an interval
// counter.
//
// BUG=1: add is not atomic. BUG=2: get leaves a cell out.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>
#include <heddle/relaxed.h>

#ifdef STRICT
enum { ROUGH = 0 };
#undef BUG
#define BUG 0
#else
enum { ROUGH = 1 };
#endif

struct counter {
    atomic_int adds, cell[2];
};

static void *create(void)
{
    return calloc(1, sizeof(struct counter));
}

static int64_t add(void *object, const int64_t *argument)
{
    struct counter *c = object;
    int cell = atomic_fetch_add(&c->adds, 1) % 2;
    if (BUG == 1)
        atomic_store(&c->cell[0], atomic_load(&c->cell[0]) + (int)argument[0]);
    else
        atomic_fetch_add(&c->cell[cell], (int)argument[0]);
    return HEDDLE_NIL;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct counter *c = object;
    int64_t first = atomic_load(&c->cell[0]), second = 0;
    (void)argument;
    if (BUG != 2)
        second = atomic_load(&c->cell[1]);
    return first + second;
}

HEDDLE_COUNTER(counter, "add", "get");

heddle_lin(.model = &counter, .create = create, .destroy = free,
           .operations = {{"add", add, {HEDDLE_FRESH}}, {"get", get, .rough = ROUGH}});
