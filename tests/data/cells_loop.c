// A sum over cells, taken one after the other in a loop. It would have to be atomic as a whole.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { CELLS = 3 };

struct counter {
    atomic_int turn, cell[CELLS];
};

static void *create(void)
{
    return calloc(1, sizeof(struct counter));
}

static int64_t add(void *object, const int64_t *argument)
{
    struct counter *c = object;
    atomic_fetch_add(&c->cell[argument[0]], (int)argument[0] + 1);
    return HEDDLE_NIL;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct counter *c = object;
    int64_t sum = 0;
    (void)argument;
    for (int i = 0; i < CELLS; i++) {
        sum += atomic_load(&c->cell[i]);
    }
    return sum;
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"add", add, {HEDDLE_RANGE(0, CELLS - 1)}}, {"get", get}});
