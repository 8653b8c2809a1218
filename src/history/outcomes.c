#include "history/outcomes.h"

#include "base/fail.h"

// A place is a state, which operations are done, and what they gave: seen twice, it is left alone.
struct walk {
    struct space *space;
    const struct spec *spec;
    const struct operation *ops;
    uint32_t count;
    struct outcomes *found;
    struct pool states, places;
    void *scratch;
    uint64_t done; // a bit for each operation
    int64_t results[OUTCOMES_OPS];
};

// Whether nothing of its own process is left before it.
static bool is_next(const struct walk *w, uint32_t op)
{
    if (w->done >> op & 1)
        return false;
    for (uint32_t i = 0; i < op; i++)
        if (!(w->done >> i & 1) && w->ops[i].process == w->ops[op].process)
            return false;
    return true;
}

// False if there is no room; `added` says whether the place is new.
static bool arrive(struct walk *w, uint32_t state, bool *added)
{
    int64_t key[OUTCOMES_OPS + 2] = {state, (int64_t)w->done};
    for (uint32_t i = 0; i < w->count; i++)
        key[2 + i] = w->done >> i & 1 ? w->results[i] : 0;
    return pool_add(&w->places, w->space, key, (w->count + 2) * sizeof *key, added) != POOL_FULL;
}

static bool walk(struct walk *w, uint32_t state);

// Each outcome of one operation here.
static bool branch(struct walk *w, uint32_t state, uint32_t op, bool *moved)
{
    for (uint32_t nth = 0;; nth++) {
        size_t size;
        bool added;
        int64_t result;
        const void *bytes = pool_get(&w->states, w->space, state, &size);
        size = w->spec->step(w->spec, bytes, size, &w->ops[op], nth, w->scratch, &result);
        if (size == SPEC_NONE)
            return true;
        uint32_t next = pool_add(&w->states, w->space, w->scratch, size, &added);
        if (next == POOL_FULL)
            return false;
        *moved = true;
        w->results[op] = result;
        w->done |= (uint64_t)1 << op;
        bool enough = walk(w, next);
        w->done &= ~((uint64_t)1 << op);
        if (!enough)
            return false;
    }
}

static bool walk(struct walk *w, uint32_t state)
{
    bool added, moved = false;
    if (!arrive(w, state, &added))
        return false;
    if (!added)
        return true;
    uint64_t all = w->count == OUTCOMES_OPS ? UINT64_MAX : ((uint64_t)1 << w->count) - 1;
    if (w->done == all)
        return pool_add(&w->found->results, w->space, w->results, w->count * sizeof *w->results, &added) != POOL_FULL;
    for (uint32_t op = 0; op < w->count; op++)
        if (is_next(w, op) && !branch(w, state, op, &moved))
            return false;
    w->found->stuck += !moved;
    return true;
}

bool outcomes_find(struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                   struct outcomes *outcomes)
{
    struct walk w = {.space = &z->space, .spec = spec, .ops = ops, .count = count, .found = outcomes};
    bool added;
    require(count <= OUTCOMES_OPS);
    space_clear(&z->space);
    *outcomes = (struct outcomes){0};
    w.scratch = space_take(&z->space, spec->room(spec, ops, count) + 1, 1);
    if (!w.scratch || !pool_init(&outcomes->results, &z->space, NULL) || !pool_init(&w.states, &z->space, spec) ||
        !pool_init(&w.places, &z->space, NULL))
        return false;
    uint32_t first = pool_add(&w.states, &z->space, w.scratch, spec->init(spec, w.scratch), &added);
    return first != POOL_FULL && walk(&w, first);
}

const int64_t *outcomes_get(const struct linearizer *z, const struct outcomes *outcomes, uint32_t nth)
{
    size_t size;
    return pool_get(&outcomes->results, &z->space, nth, &size);
}

bool outcomes_has(const struct linearizer *z, const struct outcomes *outcomes, const struct operation *ops,
                  uint32_t count)
{
    int64_t results[OUTCOMES_OPS];
    for (uint32_t i = 0; i < count; i++)
        results[i] = ops[i].result;
    return pool_find(&outcomes->results, &z->space, results, count * sizeof *results) != POOL_FULL;
}
