// expect: verified options: --threads 2 --total 4
// expect: bug not-linearizable client=put(1) take() | take() options: --cflags -DBUG=1
//
// A model that allows several results: what comes out of a bag is any of what went in; and since the places are looked at one
// after the other, that nothing was found may be told at any time. BUG=1: looking and taking are two steps.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { PLACES = 4 };

struct bag {
    _Atomic int64_t place[PLACES]; // 0: empty
};

static void *create(void)
{
    return calloc(1, sizeof(struct bag));
}

static int64_t put(void *object, const int64_t *argument)
{
    struct bag *b = object;
    for (int i = 0;; i++) {
        int64_t empty = 0;
        if (atomic_compare_exchange_strong(&b->place[i], &empty, argument[0]))
            return HEDDLE_NIL;
    }
}

static int64_t take(void *object, const int64_t *argument)
{
    (void)argument;
    struct bag *b = object;
    for (int i = 0; i < PLACES; i++) {
#if BUG
        int64_t value = atomic_load(&b->place[i]);
        atomic_store(&b->place[i], 0);
#else
        int64_t value = atomic_exchange(&b->place[i], 0);
#endif
        if (value)
            return value;
    }
    return HEDDLE_NIL;
}

struct state {
    int64_t present[PLACES + 1];
};

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    struct state *s = state;
    if (op->call == 0) {
        s->present[op->argument[0]] = 1;
        return nth == 0;
    }
    for (int i = 0; i <= PLACES; i++) {
        if (s->present[i] && !nth--) {
            s->present[i] = 0;
            *result = i;
            return 1;
        }
    }
    return nth == 0;
}

static const struct heddle_call calls[] = {{.name = "put", .arguments = 1}, {.name = "take"}, {0}};
static const struct heddle_model model = {.name = "bag", .state_size = sizeof(struct state), .calls = calls, .step = step};

heddle_lin(.create = create, .destroy = free, .model = &model,
           .operations = {{"put", put, {HEDDLE_FRESH}}, {"take", take}});
