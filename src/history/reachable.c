#include "history/reachable.h"

#include "history/labels.h"

// A short history is searched sooner than many states are looked at.
enum {
    MOST_STATES = 4096,
    STATES_FOR_NONE = 64,
    STATES_FOR_OPERATION = 4,
    MOST_STEPS = 8 << 20,
    BYTES_FOR_STEP = 16,
    LOOK_AT_CLOCK = 4096
};

struct reaching {
    struct reachable *r;
    const struct spec *spec;
    const struct operation *ops;
    const struct lin_options *options;
    struct pool states;
    void *to;                // a state
    uint32_t steps, targets; // used of first and next
    uint32_t most_states, most_steps;
};

static bool add_target(struct reaching *x, uint32_t state)
{
    struct reachable *r = x->r;
    if (state == POOL_FULL || state >= x->most_states || (uint64_t)x->states.count * r->labels > x->most_steps ||
        x->targets == x->most_steps)
        return false;
    for (uint32_t i = r->first[x->steps]; i < x->targets; i++)
        if (r->next[i] == state)
            return true;
    r->next[x->targets++] = state;
    return true;
}

// All that the operation may lead to in a state, with the result that was seen.
static bool add_step(struct reaching *x, uint32_t state, const struct operation *op)
{
    bool added;
    size_t size;
    const void *from = pool_get(&x->states, &x->r->space, state, &size);
    x->r->first[x->steps] = x->targets;
    if (lin_may_fail(x->spec, op, x->options->may_fail) && !add_target(x, state))
        return false;
    for (uint32_t nth = 0;; nth++) {
        int64_t result;
        size_t new_size = x->spec->step(x->spec, from, size, op, nth, x->to, &result);
        if (new_size == SPEC_NONE)
            break;
        if (op->known && result != op->result)
            continue;
        if (!add_target(x, pool_add(&x->states, &x->r->space, x->to, new_size, &added)))
            return false;
    }
    x->steps++;
    return x->steps % LOOK_AT_CLOCK || !lin_late(x->options->deadline);
}

static bool follow_all(struct reaching *x)
{
    struct reachable *r = x->r;
    for (uint32_t state = 0; state < x->states.count; state++)
        for (uint32_t label = 0; label < r->labels; label++)
            if (!add_step(x, state, &x->ops[r->of_label[label]]))
                return false;
    r->first[x->steps] = x->targets;
    r->states = x->states.count;
    return true;
}

bool reachable_find(struct reachable *r, const struct spec *spec, const struct operation *ops, uint32_t count,
                    const struct lin_options *options, size_t bytes)
{
    struct reaching x = {.r = r, .spec = spec, .ops = ops, .options = options, .most_steps = MOST_STEPS};
    bool added;
    if (x.most_steps > bytes / BYTES_FOR_STEP)
        x.most_steps = (uint32_t)(bytes / BYTES_FOR_STEP);
    x.most_states =
        count < MOST_STATES / STATES_FOR_OPERATION ? STATES_FOR_NONE + STATES_FOR_OPERATION * count : MOST_STATES;
    *r = (struct reachable){0};
    space_init(&r->space, bytes);
    r->label = space_take(&r->space, count + 1, sizeof *r->label);
    r->of_label = space_take(&r->space, count + 1, sizeof *r->of_label);
    r->first = space_take(&r->space, (size_t)x.most_steps + 1, sizeof *r->first);
    r->next = space_take(&r->space, x.most_steps, sizeof *r->next);
    x.to = space_take(&r->space, spec->room(spec, ops, count) + 1, 1);
    if (!r->label || !r->of_label || !r->first || !r->next || !x.to || !pool_init(&x.states, &r->space, spec))
        return false;
    r->labels = label_operations(&r->space, spec, ops, count, r->label);
    if (r->labels == POOL_FULL || r->labels > x.most_steps)
        return false;
    for (uint32_t i = 0; i < count; i++)
        r->of_label[r->label[i]] = i;
    size_t size = spec->init(spec, x.to);
    return pool_add(&x.states, &r->space, x.to, size, &added) == 0 && follow_all(&x);
}

void reachable_free(struct reachable *r)
{
    space_free(&r->space);
    *r = (struct reachable){0};
}

bool reachable_reads(const struct reachable *r, uint32_t label)
{
    bool possible = false;
    for (uint32_t state = 0; state < r->states; state++) {
        size_t step = (size_t)state * r->labels + label;
        possible = possible || r->first[step] < r->first[step + 1];
        for (uint32_t i = r->first[step]; i < r->first[step + 1]; i++)
            if (r->next[i] != state)
                return false;
    }
    return possible;
}
