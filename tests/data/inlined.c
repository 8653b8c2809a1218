// A counter whose steps stand in helpers that are inlined.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

static inline int get(atomic_int *at)
{
    return atomic_load(at);
}

static inline void set(atomic_int *at, int value)
{
    atomic_store(at, value);
}

static void *create(void)
{
    return calloc(1, sizeof(atomic_int));
}

static int64_t add(void *object, const int64_t *argument)
{
    atomic_int *count = object;
    int before = get(count);
    set(count, before + (int)argument[0]);
    return before;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"add", add, {HEDDLE_RANGE(1, 1)}}});
