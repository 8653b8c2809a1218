#include "explore/state_audit.h"

#include "base/mem.h"

enum { SLOTS = 1 << 15, MOST_STEPS = 8, MOST_WALK = 500, AT_FIRST = 1000, ONE_IN = 64 };

struct sample {
    struct fingerprint key;
    bool used;
    uint64_t pending;
    uint64_t ignored[AUDIT_RANGES];
    uint32_t steps;
    struct {
        struct step step;
        struct fingerprint to;
    } led[MOST_STEPS];
};

struct state_audit {
    struct strategy_options options;
    uint64_t random, asked;
    struct sample samples[SLOTS];
};

struct state_audit *state_audit_new(const struct strategy_options *options)
{
    struct state_audit *a = mem_reserve(sizeof *a);
    a->options = *options;
    return a;
}

void state_audit_free(struct state_audit *a)
{
    mem_release(a, sizeof *a);
}

void state_audit_renew(struct state_audit *a)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        a->samples[i] = (struct sample){.used = false};
}

static bool same(struct fingerprint a, struct fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

static struct sample *slot_of(struct state_audit *a, struct fingerprint key)
{
    return &a->samples[key.low % SLOTS];
}

static struct sample *find(struct state_audit *a, struct fingerprint key)
{
    struct sample *sample = slot_of(a, key);
    return sample->used && same(sample->key, key) ? sample : NULL;
}

static uint64_t pending(const struct strategy *s)
{
    struct fingerprint all = {1, 1};
    for (uint32_t actor = 0; actor < s->exec->known; actor++) {
        if (!exec_is_parked(s->exec, actor))
            continue;
        bool ready = can_run(s, actor); // brings the number of outcomes up to date
        const struct op *op = &s->exec->actors[actor].pending;
        fingerprint_mix(&all,
                        actor | (uint64_t)op->kind << 16 | (uint64_t)ready << 24 | (uint64_t)op->alternatives << 32);
        fingerprint_mix(&all, op->object);
    }
    return all.low ^ all.high;
}

void state_audit_enter(struct state_audit *a, const struct strategy *s, struct fingerprint key)
{
    struct sample *sample = slot_of(a, key);
    if (sample->used)
        return;
    sample->key = key;
    sample->used = true;
    sample->pending = pending(s);
    a->options.ignored(a->options.state_context, sample->ignored);
}

void state_audit_step(struct state_audit *a, struct fingerprint from, struct step step, struct fingerprint to)
{
    struct sample *sample = find(a, from);
    if (!sample || sample->steps == MOST_STEPS)
        return;
    for (uint32_t i = 0; i < sample->steps; i++)
        if (sample->led[i].step.actor == step.actor && sample->led[i].step.alternative == step.alternative)
            return;
    sample->led[sample->steps].step = step;
    sample->led[sample->steps++].to = to;
}

static void compare_ignored(struct state_audit *a, const struct sample *sample, uint64_t *differ)
{
    uint64_t now[AUDIT_RANGES] = {0};
    a->options.ignored(a->options.state_context, now);
    *differ = 0;
    for (uint32_t i = 0; i < AUDIT_RANGES; i++)
        *differ |= (uint64_t)(now[i] != sample->ignored[i]) << i;
}

// Takes one of the steps that were taken from the state that is equal to the present one: whether it leads to the same. What the
// two have different is found before.
static bool step_leads_there(struct state_audit *a, struct strategy *s, const struct sample *sample,
                             struct fingerprint *to, uint64_t *differ)
{
    compare_ignored(a, sample, differ);
    if (pending(s) != sample->pending)
        return false;
    a->random = fingerprint_scramble(a->random + 0x9e3779b97f4a7c15u);
    uint64_t which = a->random % sample->steps;
    s->target->step(s->target, sample->led[which].step.actor, sample->led[which].step.alternative);
    a->options.state(a->options.state_context, to);
    return s->target->lost || same(*to, sample->led[which].to);
}

// One look at each of the first states, then at ever fewer: a walk costs as much as an execution.
static bool is_worth_it(struct state_audit *a)
{
    a->asked++;
    return a->asked < AT_FIRST || a->asked % ONE_IN == 0;
}

// A walk along steps that were taken before: a difference need not show at once.
bool state_audit_same(struct state_audit *a, struct strategy *s, struct fingerprint key, uint64_t *differ)
{
    const struct sample *sample = find(a, key);
    uint32_t at = s->exec->count;
    bool alike = true;
    if (!sample || !is_worth_it(a))
        return true;
    s->account.audited++;
    for (uint32_t i = 0; alike && sample && sample->steps && i < MOST_WALK && s->exec->count + 1 < s->exec->limit;
         i++) {
        struct fingerprint to = key;
        alike = step_leads_there(a, s, sample, &to, differ);
        sample = find(a, to);
    }
    s->target->restart(s->target, at);
    return alike;
}
