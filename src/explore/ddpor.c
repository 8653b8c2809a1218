// Distributed dynamic partial-order reduction as in seed 002, Figures 6.3 and 6.4, kept to be compared with how `optimal` is divided: workers
// hand each other stacks, and may run executions that are equivalent to each other's. `ddpor` updates backtrack sets as Figure 2.1
// does, `ddpor-aggressive` as Figure 6.9 does: at every event that an operation races with, so that the giver more often knows what the
// receiver would find. Both corrected as dpor.c says, but without sleep sets, which the seed does not have.
//
// Where it departs from the figures:
//  - A worker that was given a stack also tries what it adds to the states before the one that it was given, since the giver may never
//    find it. In Figure 6.4 it returns once it is through with the last state, which loses executions.
//  - What the giver still has to try in those states counts as done for the receiver. The figure says so only of the last one, and
//    as printed would make the receiver try the rest again, if it went back there.
//  - Stacks are handed over between executions, and by whoever balances the units of all searches (spread/ledger.h, mpi/ranks.h).
//
// Why nothing is missed. In each state the actors that are tried by anybody who has it on a stack together are a persistent set: what an
// execution below asks for is tried by whoever ran it, unless it was done there, or kept by whoever gave the stack away.
#include <string.h>

#include "base/mem.h"
#include "explore/dpor_races.h"
#include "explore/search_part.h"

// Of a state on the stack, as it was seen here.
struct sight {
    struct stack_set parked, enabled;
    bool seen;
};

struct ddpor {
    struct strategy s;
    bool aggressive;
    uint32_t root, length; // levels whose step is decided
    struct stack_level *stack;
    struct sight *sights;
};

static struct ddpor *self(struct strategy *s)
{
    return (struct ddpor *)s;
}

static void see_state(struct ddpor *d, uint32_t at)
{
    struct sight *sight = &d->sights[at];
    *sight = (struct sight){.seen = true};
    for (uint32_t actor = 0; actor < d->s.exec->known; actor++) {
        if (exec_is_parked(d->s.exec, actor))
            stack_set_put(&sight->parked, actor);
        if (can_run(&d->s, actor))
            stack_set_put(&sight->enabled, actor);
    }
}

// Makes sure that some actor is tried before event `e` that leads to the actor's operation being done before `e`.
static void add_backtrack(struct ddpor *d, uint32_t e, uint32_t actor)
{
    const struct exec *x = d->s.exec;
    struct stack_set *backtrack = &d->stack[e].backtrack;
    const struct stack_set *enabled = &d->sights[e].enabled;
    uint32_t choice = stack_set_has(enabled, actor) ? actor : MAX_ACTORS;
    for (uint32_t i = e + 1; i < x->count && choice == MAX_ACTORS; i++) {
        const struct event *f = &x->events[i];
        if (stack_set_has(enabled, f->actor) && clock_knows(x, x->actors[actor].clock, f))
            choice = f->actor;
    }
    if (choice != MAX_ACTORS)
        stack_set_put(backtrack, choice);
    for (uint32_t i = 0; choice == MAX_ACTORS && i < STACK_WORDS; i++)
        backtrack->word[i] |= enabled->word[i];
}

static void update_backtracks_of(struct ddpor *d, uint32_t actor, uint32_t first)
{
    const struct exec *x = d->s.exec;
    if (!d->aggressive) {
        uint32_t e = dpor_newest_race(x, actor, first);
        if (e != NO_EVENT)
            add_backtrack(d, e, actor);
        return;
    }
    for (uint32_t e = x->count; e-- > first;)
        if (dpor_races(x, actor, &x->events[e]))
            add_backtrack(d, e, actor);
}

// An operation that was pending one event ago has been set against all but the last event.
static void update_backtracks(struct ddpor *d)
{
    const struct exec *x = d->s.exec;
    uint32_t at = x->count;
    for (uint32_t actor = 0; at > d->root && actor < x->known; actor++) {
        if (!exec_is_parked(x, actor))
            continue;
        bool fresh =
            at == d->root + 1 || x->events[at - 1].actor == actor || !stack_set_has(&d->sights[at - 1].parked, actor);
        update_backtracks_of(d, actor, fresh ? d->root : at - 1);
    }
}

static bool ddpor_pick(struct strategy *s, struct step *next)
{
    struct ddpor *d = self(s);
    uint32_t at = s->exec->count;
    struct stack_level *level = &d->stack[at];
    if (at >= d->length || !d->sights[at].seen)
        see_state(d, at);
    if (at >= d->length) {
        update_backtracks(d);
        int actor = usual_choice(s);
        if (actor < 0)
            return false;
        *level = (struct stack_level){.actor = (uint16_t)actor, .alternatives = 1};
        stack_set_put(&level->backtrack, (uint32_t)actor);
        d->length = at + 1;
    }
    *next = (struct step){level->actor, level->alternative};
    return true;
}

// How many outcomes each step had is known once it was taken. One that was taken over has those that it came with.
static void note_alternatives(struct ddpor *d)
{
    const struct exec *x = d->s.exec;
    for (uint32_t at = d->root; at < x->count; at++)
        if (d->stack[at].alternatives)
            d->stack[at].alternatives = x->events[at].alternatives;
}

// The next execution leaves the stack at its deepest level that has something to be tried.
static bool find_next(struct ddpor *d, uint32_t levels, uint32_t *depth)
{
    for (uint32_t at = levels; at-- > d->root;) {
        if (!stack_advance(&d->stack[at]))
            continue;
        d->length = at + 1;
        *depth = at;
        return true;
    }
    return false;
}

static bool ddpor_next(struct strategy *s, uint32_t *depth)
{
    note_alternatives(self(s));
    return find_next(self(s), s->exec->count, depth);
}

// ---- parts ----

static bool fits(uint32_t levels, size_t room)
{
    return sizeof(struct search_part) + levels * sizeof(struct stack_level) <= room;
}

static bool ddpor_keep(struct strategy *s, struct search_part *part, size_t room)
{
    struct ddpor *d = self(s);
    uint32_t levels = s->exec->count;
    if (!fits(levels, room))
        return false;
    note_alternatives(d);
    *part = (struct search_part){.levels = levels};
    memcpy(part_levels(part), d->stack, levels * sizeof *d->stack);
    return true;
}

static bool ddpor_give(struct strategy *s, struct search_part *part, size_t room)
{
    struct ddpor *d = self(s);
    if (!fits(s->exec->count, room))
        return false;
    note_alternatives(d);
    *part = (struct search_part){0};
    part->levels = stack_unload(d->stack, s->exec->count, part_levels(part));
    return part->levels;
}

static bool ddpor_take(struct strategy *s, const struct search_part *part)
{
    struct ddpor *d = self(s);
    uint32_t depth;
    s->anew = 0;
    if (part->whole) {
        d->length = d->root;
        return true;
    }
    memcpy(d->stack, part_levels(part), part->levels * sizeof *d->stack);
    for (uint32_t at = 0; at < part->levels; at++)
        d->sights[at].seen = false;
    if (!find_next(d, part->levels, &depth))
        return false;
    s->anew = depth + 1; // what comes before was done by others
    return true;
}

static void ddpor_free(struct strategy *s)
{
    struct ddpor *d = self(s);
    mem_release(d->stack, (s->exec->limit + 1) * sizeof *d->stack);
    mem_release(d->sights, (s->exec->limit + 1) * sizeof *d->sights);
    mem_release(d, sizeof *d);
}

static struct strategy *make(struct target *target, const struct strategy_options *options, const char *name,
                             bool aggressive)
{
    struct ddpor *d = mem_reserve(sizeof *d);
    d->s = (struct strategy){.name = name,
                             .target = target,
                             .exec = target->exec,
                             .pick = ddpor_pick,
                             .next = ddpor_next,
                             .free = ddpor_free,
                             .give = ddpor_give,
                             .keep = ddpor_keep,
                             .take = ddpor_take};
    d->stack = mem_reserve((target->exec->limit + 1) * sizeof *d->stack);
    d->sights = mem_reserve((target->exec->limit + 1) * sizeof *d->sights);
    d->aggressive = aggressive;
    d->root = d->length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        d->stack[i] =
            (struct stack_level){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    return &d->s;
}

struct strategy *ddpor_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "ddpor", false);
}

struct strategy *ddpor_aggressive_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "ddpor-aggressive", true);
}
