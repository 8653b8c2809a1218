// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable client=wait() options: --cflags -DBUG=1
// expect: bug livelock options: --cflags -DBUG=2
//
// A semaphore against a model in which `wait` is partial: at zero it has no outcome, so that a call has to wait there, and
// may not where there is something to take.
//
// BUG=1: wait does not wait. BUG=2: it leaves the last one.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

static void *create(void)
{
    return calloc(1, sizeof(atomic_int));
}

static int64_t post(void *object, const int64_t *argument)
{
    (void)argument;
    atomic_fetch_add((atomic_int *)object, 1);
    return HEDDLE_NIL;
}

static int64_t wait(void *object, const int64_t *argument)
{
    atomic_int *count = object;
    (void)argument;
    for (;;) {
        int n = atomic_load(count);
        if (BUG == 1 && n == 0)
            return HEDDLE_NIL;
        if (n > (BUG == 2) && atomic_compare_exchange_strong(count, &n, n - 1))
            return HEDDLE_NIL;
    }
}

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    int64_t *count = state;
    (void)result;
    if (nth || (op->call == 1 && !*count))
        return 0;
    *count += op->call == 0 ? 1 : -1;
    return 1;
}

static const struct heddle_call calls[] = {{"post", 0}, {"wait", 0}, {0}};
static const struct heddle_model semaphore = {.state_size = sizeof(int64_t), .calls = calls, .step = step};

heddle_lin(.model = &semaphore, .create = create, .destroy = free, .operations = {{"post", post}, {"wait", wait}});
