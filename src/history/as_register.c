#include "history/as_register.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "history/models.h"
#include "history/stale.h"
#include "history/unique.h"

// What a label does to the states. `at` is the only state in which it is possible, or changes something, or is not possible;
// `to` is where it leads.
struct label_effect {
    enum {
        EFFECT_OTHER,
        EFFECT_NOTHING,
        EFFECT_NEVER,
        EFFECT_READ,
        EFFECT_WRITE,
        EFFECT_SWAP,
        EFFECT_NO_SWAP,
        EFFECT_MAYBE_SWAP
    } kind;
    uint32_t at, to;
};

// How many states it is possible in, changes, and leads to; and one of each.
struct effect_count {
    uint32_t possible, changed, at_possible, at_changed, at_impossible, to;
    bool one_target; // it always leads to the same state
    bool branches;   // it may lead to several states
};

static struct effect_count count_effects(const struct reachable *r, uint32_t label)
{
    struct effect_count c = {.one_target = true};
    for (uint32_t state = 0; state < r->states; state++) {
        size_t step = (size_t)state * r->labels + label;
        uint32_t targets = r->first[step + 1] - r->first[step];
        if (!targets) {
            c.at_impossible = state;
            continue;
        }
        uint32_t to = r->next[r->first[step]];
        c.branches = c.branches || targets > 1;
        c.one_target = c.one_target && (!c.possible || to == c.to);
        c.to = to;
        c.at_possible = state;
        c.possible++;
        if (to != state) {
            c.changed++;
            c.at_changed = state;
        }
    }
    return c;
}

static struct label_effect effect_of(const struct reachable *r, uint32_t label)
{
    struct effect_count c = count_effects(r, label);
    if (c.branches)
        return (struct label_effect){EFFECT_OTHER, 0, 0};
    if (!c.possible)
        return (struct label_effect){EFFECT_NEVER, 0, 0};
    if (c.possible == r->states && !c.changed)
        return (struct label_effect){EFFECT_NOTHING, 0, 0};
    if (c.possible == r->states && c.one_target)
        return (struct label_effect){EFFECT_WRITE, 0, c.to};
    if (c.possible == 1)
        return (struct label_effect){c.changed ? EFFECT_SWAP : EFFECT_READ, c.at_possible, c.to};
    if (c.possible == r->states - 1 && !c.changed)
        return (struct label_effect){EFFECT_NO_SWAP, c.at_impossible, 0};
    if (c.possible == r->states && c.changed == 1) {
        size_t step = (size_t)c.at_changed * r->labels + label;
        return (struct label_effect){EFFECT_MAYBE_SWAP, c.at_changed, r->next[r->first[step]]};
    }
    return (struct label_effect){EFFECT_OTHER, 0, 0};
}

// The operation as one of a register whose values are the numbers of states. It keeps its times, and whether it returned.
static void translate(struct operation *op, const struct label_effect *effect)
{
    bool swap = effect->kind >= EFFECT_SWAP;
    op->call = swap ? REGISTER_CAS : effect->kind == EFFECT_WRITE ? REGISTER_WRITE : REGISTER_READ;
    op->argument[0] = effect->kind == EFFECT_WRITE ? effect->to : effect->at;
    op->argument[1] = effect->to;
    op->argument[2] = 0;
    op->known = effect->kind != EFFECT_MAYBE_SWAP && !operation_pending(op);
    op->result = swap                          ? value_of_bool(effect->kind == EFFECT_SWAP)
                 : effect->kind == EFFECT_READ ? effect->at
                                               : VALUE_NIL;
    if (effect->kind == EFFECT_READ)
        op->argument[0] = op->argument[1] = 0;
}

static enum verdict check_translated(struct space *space, const struct operation *ops, uint32_t count,
                                     const struct lin_options *options)
{
    struct spec spec = spec_register;
    struct lin_options plain = *options;
    spec.initial = 0;
    plain.may_fail = 0; // the effects have that in them
    enum verdict verdict = unique_check(space, &spec, ops, count, &plain);
    if (verdict == VERDICT_UNKNOWN && stale_read(space, &spec, ops, count, &plain))
        verdict = VERDICT_NO;
    return verdict;
}

// Leaves out what says nothing. No if something happened that never can; unknown if it is not that of a register.
static enum verdict translate_all(const struct reachable *r, const struct label_effect *effect,
                                  const struct operation *ops, uint32_t count, struct operation *to,
                                  uint32_t *translated)
{
    enum verdict verdict = VERDICT_YES;
    for (uint32_t i = 0; i < count; i++) {
        const struct label_effect *e = &effect[r->label[i]];
        bool pending = operation_pending(&ops[i]);
        if (e->kind == EFFECT_NEVER && !pending)
            return VERDICT_NO;
        if (e->kind == EFFECT_OTHER)
            verdict = VERDICT_UNKNOWN;
        // What only reads and never returned need not have happened.
        if (e->kind == EFFECT_NOTHING ||
            (pending && (e->kind == EFFECT_NEVER || e->kind == EFFECT_READ || e->kind == EFFECT_NO_SWAP)))
            continue;
        to[*translated] = ops[i];
        translate(&to[(*translated)++], e);
    }
    return verdict;
}

enum verdict as_register_check(struct space *space, const struct reachable *r, const struct operation *ops,
                               uint32_t count, const struct lin_options *options)
{
    struct label_effect *effect = alloc_ended(r->labels, sizeof *effect);
    struct operation *translated = alloc_ended(count, sizeof *translated);
    uint32_t translated_count = 0;
    for (uint32_t label = 0; label < r->labels; label++)
        effect[label] = effect_of(r, label);
    enum verdict verdict = translate_all(r, effect, ops, count, translated, &translated_count);
    if (verdict == VERDICT_YES)
        verdict = check_translated(space, translated, translated_count, options);
    free(effect);
    free(translated);
    return verdict;
}
