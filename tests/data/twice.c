// A counter that is raised in two steps, by one and by two. What has to be atomic lies inside itself: `bump', and two calls of
// it in `twice'. A mutex in both would wait for itself.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

static void *create(void)
{
    return calloc(1, sizeof(atomic_long));
}

static void bump(atomic_long *count)
{
    long now = atomic_load(count);
    atomic_store(count, now + 1);
}

static int64_t once(void *object, const int64_t *argument)
{
    (void)argument;
    bump(object);
    return HEDDLE_NIL;
}

static int64_t twice(void *object, const int64_t *argument)
{
    (void)argument;
    bump(object);
    bump(object);
    return HEDDLE_NIL;
}

static int64_t get(void *object, const int64_t *argument)
{
    (void)argument;
    return atomic_load((atomic_long *)object);
}

heddle_lin(.create = create, .destroy = free, .operations = {{"once", once}, {"twice", twice}, {"get", get}});
