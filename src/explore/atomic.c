// Depth-first search over blocks: a block of the target is one step, whatever happens in it. Sleep sets (Godefroid) leave out
// orders of independent blocks, so that each trace is completed once. No argument is needed about executions that the blocks rule
// out, since only executions that respect the blocks are ever begun.
//
// A block begins only if it can be finished. It is tried, and if its actor has to wait in the middle, everything is undone back to
// the beginning of the block, and the actor waits there instead (`hold`) until something else has happened.
//
// An operation that can never have an effect on others (at most EFFECT_NONE), and is not part of a block, is run at once, and
// nothing else is tried in its place.
//
// There are no races to reverse here. With blocks, the executions between two others need not be possible, so a
// reduction that goes from one execution to the next by reversing races would miss some. Sleep sets alone visit every
// state between blocks.
#include "base/fail.h"
#include "base/mem.h"
#include "explore/strategy.h"

// A block that was explored, or that need not be because it was explored above and nothing since depends on it.
struct sleeper {
    struct step step;
    uint32_t first, count; // of its effects in `effects`
};

struct effect_on {
    uint32_t object;
    uint32_t effect;
};

// A state between two blocks, from which a block was begun.
struct level {
    uint32_t at;      // number of events
    struct step step; // the first of the block under way
    bool chosen;      // there is one
    uint16_t first;   // the actor that was tried first, since its operation has no effect on others; or MAX_ACTORS
    bool alone;       // no other needs to be tried
    bool branches;    // its outcome was chosen somewhere in the middle as well
    uint32_t sleepers, effects;      // what belongs to the levels above
    uint64_t stuck[MAX_ACTORS / 64]; // actors that cannot finish their block here …
    uint64_t waits[MAX_ACTORS / 64]; // … because they have to wait
};

struct atomic {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    struct level *levels;
    uint32_t depth; // of `levels`
    struct sleeper *sleepers;
    uint32_t sleeper_count;
    struct effect_on *effects;
    uint32_t effect_count;
    uint16_t *inner;  // by event inside a block: the outcome that is to be chosen
    uint32_t planned; // `inner` is given up to here
};

enum { SLEEPERS = 1 << 20, EFFECTS = 1 << 24 };

static struct atomic *self(struct strategy *s)
{
    return (struct atomic *)s;
}

// ---- sleeping ----

static bool sleeps(const struct atomic *a, struct step step)
{
    const struct level *top = &a->levels[a->depth - 1];
    for (uint32_t i = top->sleepers; i < a->sleeper_count; i++)
        if (a->sleepers[i].step.actor == step.actor && a->sleepers[i].step.alternative == step.alternative)
            return true;
    return false;
}

static bool depends(const struct atomic *a, const struct sleeper *s, uint32_t from)
{
    const struct exec *x = a->s.exec;
    for (uint32_t i = from; i < x->count; i++) {
        const struct event *e = &x->events[i];
        if (e->actor == s->step.actor)
            return true;
        for (uint32_t n = s->first; n < s->first + s->count; n++)
            if (ops_depend((enum effect)e->effect, e->object, (enum effect)a->effects[n].effect, a->effects[n].object))
                return true;
    }
    return false;
}

// The state that the execution has come to: what sleeps above and does not depend on the last block sleeps on.
static void enter_level(struct atomic *a)
{
    struct level *level = &a->levels[a->depth];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): depth 0 is asked for
    uint32_t begin = a->depth ? level[-1].sleepers : 0, end = a->sleeper_count;
    *level = (struct level){.at = a->s.exec->count, .sleepers = end, .effects = a->effect_count};
    require_room(2 * end - begin < SLEEPERS, "what the strategy atomic has put to sleep");
    for (uint32_t i = begin; i < end; i++)
        if (!depends(a, &a->sleepers[i], level[-1].at))
            a->sleepers[a->sleeper_count++] = a->sleepers[i];
    a->depth++;
}

// The block from the top level to the end of the execution sleeps from now on.
static void put_to_sleep(struct atomic *a, const struct level *level, uint32_t end)
{
    const struct exec *x = a->s.exec;
    require_room(a->sleeper_count < SLEEPERS && a->effect_count + end - level->at < EFFECTS,
                 "what the strategy atomic has put to sleep");
    struct sleeper *s = &a->sleepers[a->sleeper_count++];
    *s = (struct sleeper){level->step, a->effect_count, end - level->at};
    for (uint32_t i = level->at; i < end; i++)
        a->effects[a->effect_count++] = (struct effect_on){x->events[i].object, x->events[i].effect};
}

// ---- choosing ----

static bool is_stuck(const struct level *level, uint32_t actor)
{
    return level->stuck[actor / 64] >> (actor % 64) & 1;
}

// The block that was begun cannot be finished.
static void take_back(struct atomic *a, struct level *level)
{
    struct target *target = a->s.target;
    uint32_t actor = level->step.actor;
    uint64_t bit = 1ull << (actor % 64);
    level->stuck[actor / 64] |= bit;
    if (!target->in_vain || !target->in_vain(target, actor))
        level->waits[actor / 64] |= bit;
    target->restart(target, level->at);
    level->alone = false;
}

// At the end of an execution: those who have to wait are seen to. If another one is left the execution was cut short.
static void hold_waiting(struct atomic *a, const struct level *level)
{
    for (uint32_t actor = 0; actor < a->s.exec->known; actor++)
        if (level->waits[actor / 64] >> (actor % 64) & 1)
            a->s.target->hold(a->s.target, actor);
}

// An actor whose operation nobody can notice; MAX_ACTORS if there is none.
static uint32_t unnoticed(const struct strategy *s)
{
    for (uint32_t actor = 0; actor < s->exec->known; actor++)
        if (can_run(s, actor) && op_table[s->exec->actors[actor].pending.kind].at_most == EFFECT_NONE)
            return actor;
    return MAX_ACTORS;
}

// The actor to be tried after this one at the level; MAX_ACTORS after the last.
static uint32_t actor_after(const struct atomic *a, const struct level *level, uint32_t actor)
{
    uint32_t next = actor == level->first ? 0 : actor + 1;
    if (actor == level->first && level->alone)
        return MAX_ACTORS;
    next += next == level->first;
    return next < a->s.exec->known ? next : MAX_ACTORS;
}

static void begin_choosing(struct atomic *a, struct level *level)
{
    level->first = (uint16_t)unnoticed(&a->s);
    level->alone = level->first < MAX_ACTORS;
    level->step = (struct step){level->alone ? level->first : 0, 0};
    for (uint32_t i = level->sleepers; i < a->sleeper_count; i++)
        if (a->sleepers[i].step.actor == level->first && a->sleepers[i].count > 1)
            level->alone = false; // it began a block
    level->chosen = true;
}

// The next block to begin at the top level; false if all have been, or sleep, or cannot be finished.
static bool choose(struct atomic *a)
{
    struct strategy *s = &a->s;
    struct level *level = &a->levels[a->depth - 1];
    uint32_t alternative = level->chosen ? level->step.alternative + 1u : 0;
    if (!level->chosen)
        begin_choosing(a, level);
    for (uint32_t actor = level->step.actor; actor < MAX_ACTORS;
         actor = actor_after(a, level, actor), alternative = 0) {
        uint32_t alternatives =
            is_stuck(level, actor) || !can_run(s, actor) ? 0 : s->exec->actors[actor].pending.alternatives;
        for (; alternative < alternatives; alternative++) {
            level->step = (struct step){(uint16_t)actor, (uint16_t)alternative};
            if (sleeps(a, level->step))
                continue;
            level->branches = false;
            a->planned = level->at;
            return true;
        }
    }
    return false;
}

static bool in_block(const struct strategy *s, uint32_t actor)
{
    return exec_is_parked(s->exec, actor) && s->target->goes_on && s->target->goes_on(s->target, actor);
}

// The next step of the block under way: it has an outcome of its own, the first one unless another is planned.
static struct step step_inside(struct atomic *a, uint32_t actor)
{
    uint32_t at = a->s.exec->count;
    if (at >= a->planned) {
        a->inner[at] = 0;
        a->planned = at + 1;
    }
    if (a->s.exec->actors[actor].pending.alternatives > 1)
        a->levels[a->depth - 1].branches = true;
    return (struct step){(uint16_t)actor, a->inner[at]};
}

static bool atomic_pick(struct strategy *s, struct step *next)
{
    struct atomic *a = self(s);
    if (s->exec->count < a->root) {
        *next = a->prefix[s->exec->count];
        return true;
    }
    for (;;) {
        struct level *level = a->depth ? &a->levels[a->depth - 1] : NULL;
        bool begun = level && level->chosen && s->exec->count > level->at;
        if (begun && in_block(s, level->step.actor)) {
            if (can_run(s, level->step.actor)) {
                *next = step_inside(a, level->step.actor);
                return true;
            }
            take_back(a, level);
        } else if (level && level->chosen && !begun) { // `next` has chosen already
            *next = level->step;
            return true;
        } else {
            enter_level(a);
            level = &a->levels[a->depth - 1];
        }
        if (!choose(a)) {
            hold_waiting(a, level);
            return false;
        }
    }
}

// ---- the next execution ----

// Another outcome inside the block that ends before event `end`; false if there is none.
static bool vary_inside(struct atomic *a, uint32_t end)
{
    struct strategy *s = &a->s;
    const struct level *level = &a->levels[a->depth - 1];
    for (uint32_t at = end; level->branches && at-- > level->at + 1;) {
        if (a->inner[at] + 1u >= s->exec->events[at].alternatives)
            continue;
        a->inner[at]++;
        a->planned = at + 1;
        s->target->restart(s->target, at);
        return true;
    }
    return false;
}

static bool atomic_next(struct strategy *s, uint32_t *depth)
{
    struct atomic *a = self(s);
    uint32_t end = s->exec->count;
    for (; a->depth; a->depth--) {
        struct level *level = &a->levels[a->depth - 1];
        bool begun = end > level->at;
        if (begun && vary_inside(a, end)) {
            *depth = s->exec->count;
            return true;
        }
        level->alone &= end <= level->at + 1;
        a->sleeper_count = begun ? a->sleeper_count : level->sleepers;
        if (begun && !level->branches)
            put_to_sleep(a, level, end);
        s->target->restart(s->target, level->at);
        if (begun && choose(a)) {
            *depth = level->at;
            return true;
        }
        end = level->at;
        a->sleeper_count = level->sleepers;
        a->effect_count = level->effects;
    }
    return false;
}

static void atomic_free(struct strategy *s)
{
    struct atomic *a = self(s);
    size_t limit = s->exec->limit + 1;
    mem_release(a->levels, limit * sizeof *a->levels);
    mem_release(a->inner, limit * sizeof *a->inner);
    mem_release(a->sleepers, SLEEPERS * sizeof *a->sleepers);
    mem_release(a->effects, EFFECTS * sizeof *a->effects);
    mem_release(a, sizeof *a);
}

struct strategy *atomic_new(struct target *target, const struct strategy_options *options)
{
    struct atomic *a = mem_reserve(sizeof *a);
    size_t limit = target->exec->limit + 1;
    a->s = (struct strategy){.name = "atomic",
                             .target = target,
                             .exec = target->exec,
                             .pick = atomic_pick,
                             .next = atomic_next,
                             .free = atomic_free};
    a->levels = mem_reserve(limit * sizeof *a->levels);
    a->inner = mem_reserve(limit * sizeof *a->inner);
    a->sleepers = mem_reserve(SLEEPERS * sizeof *a->sleepers);
    a->effects = mem_reserve(EFFECTS * sizeof *a->effects);
    a->root = options->root;
    a->prefix = options->prefix;
    return &a->s;
}
