// expect: bug not-linearizable client=add() | add() options: --cflags -DBUG=1
// expect: verified options:
//
// Calls that give nothing: only the state at the end tells that one was lost.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

static void *create(void)
{
    return calloc(1, sizeof(atomic_long));
}

static int64_t add(void *object, const int64_t *argument)
{
    (void)argument;
    atomic_long *count = object;
#if BUG
    atomic_store(count, atomic_load(count) + 1);
#else
    atomic_fetch_add(count, 1);
#endif
    return HEDDLE_NIL;
}

static int64_t observe(void *object)
{
    return atomic_load((atomic_long *)object);
}

heddle_lin(.create = create, .destroy = free, .observe = observe, .operations = {{"add", add}});
