// Relaxed specifications, ready made, for objects that promise less than a queue or a counter does:
//
//     HEDDLE_BAG(bag, "put", "take");
//     heddle_lin(.model = &bag, .create = create, .operations = {{"put", put, {HEDDLE_FRESH}}, {"take", take}});
//
// Each defines a model (<heddle/model.h>) with the name that is given first. The texts are the names of the operations. Those that
// take something out give HEDDLE_NIL if there is nothing. They hold up to HEDDLE_RELAXED values at a time.
//
//     HEDDLE_BAG(name, put, take)                any value that is there comes out
//     HEDDLE_OUT_OF_ORDER_QUEUE(name, k, put, take)
//                                                one of the k + 1 oldest comes out (k = 0: a queue)
//     HEDDLE_OUT_OF_ORDER_STACK(name, k, put, take)
//                                                one of the k + 1 newest comes out (k = 0: a stack)
//     HEDDLE_COUNTER(name, add, get)             add(n) adds n and gives nothing, get() gives the sum
//     HEDDLE_TICKETS(name, next)                 next() gives 0, 1, 2, …
//
// An interval counter, which sums several cells up, gives a number between what it had when get began and what it had when get
// returned: a HEDDLE_COUNTER with `.rough = 1` at get. A quiescent counter, such as a counting network, is right whenever
// nothing is under way: HEDDLE_TICKETS with `.judge = HEDDLE_QUIESCENT` in the declaration of the object.
#ifndef HEDDLE_RELAXED_H
#define HEDDLE_RELAXED_H

#include <heddle/model.h>

#define HEDDLE_RELAXED 32

struct heddle_relaxed_state {
    int64_t count;
    int64_t value[HEDDLE_RELAXED]; // oldest first
};

// Takes out the one at `at`.
static inline int64_t heddle_relaxed_take(struct heddle_relaxed_state *s, int64_t at)
{
    int64_t value = s->value[at];
    s->count--;
    for (int64_t i = at; i < s->count; i++)
        s->value[i] = s->value[i + 1];
    s->value[s->count] = 0;
    return value;
}

static inline int heddle_relaxed_put(struct heddle_relaxed_state *s, int64_t value, int nth)
{
    if (nth || s->count == HEDDLE_RELAXED)
        return 0;
    s->value[s->count++] = value;
    return 1;
}

// `reach`: how many of the oldest, or newest, may come out.
static inline int heddle_relaxed_step(struct heddle_relaxed_state *s, const struct heddle_operation *op, int nth,
                                      int64_t *result, int64_t reach, int newest)
{
    if (op->call == 0)
        return heddle_relaxed_put(s, op->argument[0], nth);
    if (!s->count)
        return nth == 0; // nothing there: the result stays HEDDLE_NIL
    if (nth >= reach || nth >= s->count)
        return 0;
    *result = heddle_relaxed_take(s, newest ? s->count - 1 - nth : nth);
    return 1;
}

#define HEDDLE_RELAXED_MODEL(name_, put, take, reach, newest)                                                          \
    static const struct heddle_call name_##_calls[] = {                                                                \
        {put, 1, 0, 0, 0}, {take, 0, 1, 1, HEDDLE_NIL}, {0, 0, 0, 0, 0}};                                              \
    static int name_##_step(void *state, const struct heddle_operation *op, int nth, int64_t *result)                  \
    {                                                                                                                  \
        return heddle_relaxed_step((struct heddle_relaxed_state *)state, op, nth, result, (reach), (newest));          \
    }                                                                                                                  \
    HEDDLE_RELAXED_DEFINE(name_, struct heddle_relaxed_state)

#define HEDDLE_RELAXED_DEFINE(name_, state_)                                                                           \
    static const struct heddle_model name_ = {#name_, sizeof(state_), name_##_calls, 0, 0, name_##_step, 0, 0, 0, 0}

#define HEDDLE_BAG(name, put, take) HEDDLE_RELAXED_MODEL(name, put, take, HEDDLE_RELAXED, 0)
#define HEDDLE_OUT_OF_ORDER_QUEUE(name, k, put, take) HEDDLE_RELAXED_MODEL(name, put, take, (k) + 1, 0)
#define HEDDLE_OUT_OF_ORDER_STACK(name, k, put, take) HEDDLE_RELAXED_MODEL(name, put, take, (k) + 1, 1)

#define HEDDLE_COUNTER(name_, add, get)                                                                                \
    static const struct heddle_call name_##_calls[] = {{add, 1, 0, 0, 0}, {get, 0, 1, 0, 0}, {0, 0, 0, 0, 0}};         \
    static int name_##_step(void *state, const struct heddle_operation *op, int nth, int64_t *result)                  \
    {                                                                                                                  \
        int64_t *count = (int64_t *)state;                                                                             \
        if (nth)                                                                                                       \
            return 0;                                                                                                  \
        if (op->call == 0)                                                                                             \
            *count += op->argument[0];                                                                                 \
        else                                                                                                           \
            *result = *count;                                                                                          \
        return 1;                                                                                                      \
    }                                                                                                                  \
    HEDDLE_RELAXED_DEFINE(name_, int64_t)

#define HEDDLE_TICKETS(name_, next)                                                                                    \
    static const struct heddle_call name_##_calls[] = {{next, 0, 1, 0, 0}, {0, 0, 0, 0, 0}};                           \
    static int name_##_step(void *state, const struct heddle_operation *op, int nth, int64_t *result)                  \
    {                                                                                                                  \
        (void)op;                                                                                                      \
        *result = (*(int64_t *)state)++;                                                                               \
        return nth == 0;                                                                                               \
    }                                                                                                                  \
    HEDDLE_RELAXED_DEFINE(name_, int64_t)

#endif
