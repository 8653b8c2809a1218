// A ring for one producer and one consumer: each writes one index and reads the other's. What it may do is said by a model,
// since the ring with BUG=3 would be its own witness: it is wrong also one call at a time.
//
// BUG=1: the producer publishes the place before it has filled it.
// BUG=2: the consumer gives the place back before it has read it.
// BUG=3: the producer thinks that there is room for one more than there is.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

#ifndef BUG
#define BUG 0
#endif

enum { PLACES = 1 };

struct ring {
    atomic_uint head, tail; // taken from, put at; they only grow
    _Atomic int64_t place[PLACES];
};

static void *create(void)
{
    return calloc(1, sizeof(struct ring));
}

static int64_t put(void *object, const int64_t *argument)
{
    struct ring *r = object;
    unsigned tail = atomic_load(&r->tail), room = PLACES + (BUG == 3);
    if (tail - atomic_load(&r->head) >= room)
        return HEDDLE_FALSE;
#if BUG == 1
    atomic_store(&r->tail, tail + 1);
    atomic_store(&r->place[tail % PLACES], argument[0]);
#else
    atomic_store(&r->place[tail % PLACES], argument[0]);
    atomic_store(&r->tail, tail + 1);
#endif
    return HEDDLE_TRUE;
}

static int64_t take(void *object, const int64_t *argument)
{
    (void)argument;
    struct ring *r = object;
    unsigned head = atomic_load(&r->head);
    if (head == atomic_load(&r->tail))
        return HEDDLE_NIL;
#if BUG == 2
    atomic_store(&r->head, head + 1);
    return atomic_load(&r->place[head % PLACES]);
#else
    int64_t value = atomic_load(&r->place[head % PLACES]);
    atomic_store(&r->head, head + 1);
    return value;
#endif
}

struct state {
    int64_t count, value[PLACES];
};

enum { PUT, TAKE };

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    struct state *s = state;
    if (nth)
        return 0;
    if (op->call == PUT) {
        *result = s->count < PLACES ? HEDDLE_TRUE : HEDDLE_FALSE;
        if (s->count < PLACES)
            s->value[s->count++] = op->argument[0];
    } else if (s->count) {
        *result = s->value[0];
        s->count--;
        for (int64_t i = 0; i < s->count; i++)
            s->value[i] = s->value[i + 1];
        s->value[s->count] = 0;
    }
    return 1;
}

static const struct heddle_call calls[] = {{.name = "put", .arguments = 1}, {.name = "take"}, {0}};

static const struct heddle_model model = {.name = "bounded queue", .state_size = sizeof(struct state), .calls = calls, .step = step};

heddle_lin(.create = create, .destroy = free, .model = &model,
           .operations = {{"put", put, {HEDDLE_FRESH}, .by = 1}, {"take", take, .by = 2}});
