// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable client=try_take() try_take() | put(1) options: --cflags -DBUG=1
// expect: verified options: --cflags -DBUG=1 --may-fail try_take
// expect: bug not-linearizable options: --cflags -DBUG=2
// expect: bug not-linearizable options: --cflags -DBUG=3
//
// A box for one value that gives up instead of trying again: while another call is under way, and only then, `try_take` may say
// that there is nothing.
//
// BUG=1: the second try_take of a thread fails for no reason.
// BUG=2: it fails, and has taken the value all the same.
// BUG=3: put gives up too, which it may not.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct box {
    atomic_bool busy;
    atomic_int value;
};

static void *create(void)
{
    return calloc(1, sizeof(struct box));
}

static int64_t put(void *object, const int64_t *argument)
{
    struct box *b = object;
    bool free = false;
    while (!atomic_compare_exchange_strong(&b->busy, &free, true)) {
        if (BUG == 3)
            return HEDDLE_NIL;
        free = false;
    }
    atomic_store(&b->value, (int)argument[0]);
    atomic_store(&b->busy, false);
    return HEDDLE_NIL;
}

static int64_t try_take(void *object, const int64_t *argument)
{
    static _Thread_local int tries;
    struct box *b = object;
    bool free = false;
    (void)argument;
    if (BUG == 1 && tries++ % 2)
        return HEDDLE_NIL;
    if (!atomic_compare_exchange_strong(&b->busy, &free, true)) {
        if (BUG == 2)
            atomic_store(&b->value, 0);
        return HEDDLE_NIL;
    }
    int value = atomic_exchange(&b->value, 0);
    atomic_store(&b->busy, false);
    return value ? value : HEDDLE_NIL;
}

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    int64_t *value = state;
    if (nth)
        return 0;
    if (op->call == 0) {
        *value = op->argument[0];
    } else {
        *result = *value ? *value : HEDDLE_NIL;
        *value = 0;
    }
    return 1;
}

static const struct heddle_call calls[] = {{"put", 1}, {"try_take", 0, 1}, {0}};
static const struct heddle_model box = {.state_size = sizeof(int64_t), .calls = calls, .step = step};

heddle_lin(.model = &box, .create = create, .destroy = free,
           .operations = {{"put", put, {HEDDLE_FRESH}},
                          {"try_take", try_take, .may_fail = HEDDLE_OVERLAPPED, .failure = HEDDLE_NIL}});
