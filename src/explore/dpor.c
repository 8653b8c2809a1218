// Dynamic partial-order reduction as in seed 002, Figure 2.1 (after Flanagan and Godefroid, POPL 2005), with sleep sets:
// the seed's own search, kept as the baseline that `optimal` is measured against. Stateless and depth-first; at each
// state a set of actors that must be tried there grows while the executions below it show races.
//
// Where it departs from the figure:
//  - The operation of every actor that has one counts, not only of those that can run: a blocked acquire races with the
//    acquire that blocks it, or deadlocks would be lost.
//  - An operation is compared with the latest event that is dependent *and does not happen before it*, as in the original;
//    the figure forgot the second half.
//  - Combined with sleep sets, both the figure and the original lose outcomes. The proof that the set tried at a state is persistent
//    needs everything below each of its members to be explored from there, which is not done for one that sleeps. So
//    when a race asks for an actor that slept on arrival, everything that can run is tried. Without this one writer and
//    two readers, one of which reads something else first, have 3 of their 4 traces.
//  - What an operation will do is not known before it runs, so it counts as its strongest effect (op_table.at_most).
//    A sleeping operation has run once at that place and counts as what it did there: an event that would change that wakes it.
//  - Locksets (§3.3.3) need not be computed: the thesis drops a pair if both actors hold a common lock. Then the release and
//    the acquire in between order the pair, so happens-before drops it too.
//  - An outcome that the search may choose is tried with all others before the actor counts as done.
//
// Where only races are looked for, a state is left as soon as its subspace is known to have none (subspace.h): Figure 5.6.
// What the seed leaves out: the executions that are not run then would have asked for others *above* the state. So
// what they would have asked for is asked for at once (`owe_for_unseen`). The threads' operations in the subspace are the
// observed ones, whatever their order. So for each event above the state and each operation below that depends on it, where
// no creation and no join decides their order, the latter's actor is tried in front of the former; if it cannot run
// there, all are. Then the set tried above is persistent again: take a sequence that leaves it by an operation c which
// depends on the event e of a member, with nothing before c that does. After e the same sequence leads to c, too;
// either in an execution that was run, which asks for it as always; or c lies in a subspace that was left out, and was
// asked for here.
//
// Every trace is run to its end exactly once. An execution in which everything that can run sleeps is cut off there:
// pick says that nothing can run, although target.ready would say otherwise. Such executions are counted in `redundant`.
#include <string.h>

#include "base/mem.h"
#include "explore/dpor_races.h"
#include "explore/subspace.h"

enum { SET_WORDS = MAX_ACTORS / 64 };

struct actor_set {
    uint64_t word[SET_WORDS];
};

// A state on the current path and what is to be tried from it.
struct level {
    uint16_t actor, alternative; // the step taken at present
    struct actor_set parked, enabled;
    struct actor_set backtrack; // must be tried here
    struct actor_set asleep;    // need not: what they lead to was covered before this state was reached
    struct actor_set sleep;     // those, and the ones that have been tried here
    uint8_t effect[MAX_ACTORS]; // of what sleeps
    bool judged;                // its subspace may have a race
    uint64_t doubted;           // … said the execution with this number, which went on from below it; 0: none did
};

struct dpor {
    struct strategy s;
    uint32_t root;
    uint32_t length; // levels whose step is decided
    struct level *levels;
    struct subspace *subspace; // null: everything is run
    uint32_t *open;            // levels that are asked about, deepest first
    uint64_t executions;
    bool all_free; // none of those that were asked about last may have a race
    bool tells;    // the execution at hand came to its end: only then it tells of others
};

static struct dpor *self(struct strategy *s)
{
    return (struct dpor *)s;
}

static void put(struct actor_set *set, uint32_t actor)
{
    set->word[actor / 64] |= 1ull << (actor % 64);
}

static bool has(const struct actor_set *set, uint32_t actor)
{
    return set->word[actor / 64] >> (actor % 64) & 1;
}

// Sleeping actors go on sleeping after an event that does not depend on what they would do.
static void inherit_sleep(struct dpor *d, uint32_t at)
{
    struct level *level = &d->levels[at];
    memset(&level->asleep, 0, sizeof level->asleep);
    if (at <= d->root)
        return;
    const struct exec *x = d->s.exec;
    const struct level *before = &d->levels[at - 1];
    const struct event *e = &x->events[at - 1];
    for (uint32_t actor = 0; actor < x->known; actor++) {
        if (!has(&before->sleep, actor) || actor == e->actor)
            continue;
        if (ops_depend(before->effect[actor], x->actors[actor].pending.object, e->effect, e->object))
            continue;
        put(&level->asleep, actor);
        level->effect[actor] = before->effect[actor];
    }
}

// Makes sure that some actor is tried before event `e` that leads to the actor's operation being done before `e`.
static void add_backtrack(struct dpor *d, uint32_t e, uint32_t actor)
{
    const struct exec *x = d->s.exec;
    struct level *level = &d->levels[e];
    uint32_t choice = MAX_ACTORS;
    if (has(&level->enabled, actor))
        choice = actor;
    for (uint32_t i = e + 1; i < x->count; i++) {
        const struct event *f = &x->events[i];
        if (!has(&level->enabled, f->actor) || !clock_knows(x, x->actors[actor].clock, f))
            continue;
        if (has(&level->backtrack, f->actor))
            return;
        if (choice == MAX_ACTORS || has(&level->asleep, choice))
            choice = f->actor;
    }
    if (choice != MAX_ACTORS && !has(&level->asleep, choice))
        put(&level->backtrack, choice);
    else
        level->backtrack = level->enabled;
}

// Looks for the event that each pending operation races with. An operation that was pending one event ago has been set
// against all but the last event.
static void update_backtracks(struct dpor *d)
{
    const struct exec *x = d->s.exec;
    uint32_t at = x->count;
    if (at <= d->root)
        return;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        if (!exec_is_parked(x, actor))
            continue;
        bool fresh = at == d->root + 1 || x->events[at - 1].actor == actor || !has(&d->levels[at - 1].parked, actor);
        uint32_t first = fresh ? d->root : at - 1;
        uint32_t e = dpor_newest_race(x, actor, first);
        if (e != NO_EVENT)
            add_backtrack(d, e, actor);
    }
}

static void look_at(struct dpor *d, uint32_t at)
{
    struct level *level = &d->levels[at];
    level->judged = false;
    level->doubted = 0;
    inherit_sleep(d, at);
    level->sleep = level->asleep;
    memset(&level->parked, 0, sizeof level->parked);
    memset(&level->enabled, 0, sizeof level->enabled);
    memset(&level->backtrack, 0, sizeof level->backtrack);
    for (uint32_t actor = 0; actor < d->s.exec->known; actor++) {
        if (exec_is_parked(d->s.exec, actor))
            put(&level->parked, actor);
        if (can_run(&d->s, actor))
            put(&level->enabled, actor);
    }
    update_backtracks(d);
}

// The usual choice unless it sleeps; MAX_ACTORS if everything that can run does.
static uint32_t choose(const struct dpor *d, const struct level *level, int usual)
{
    if (!has(&level->sleep, (uint32_t)usual))
        return (uint32_t)usual;
    for (uint32_t actor = 0; actor < d->s.exec->known; actor++)
        if (has(&level->enabled, actor) && !has(&level->sleep, actor))
            return actor;
    return MAX_ACTORS;
}

static bool dpor_pick(struct strategy *s, struct step *next)
{
    struct dpor *d = self(s);
    uint32_t at = s->exec->count;
    struct level *level = &d->levels[at];
    if (at >= d->length) {
        look_at(d, at);
        int usual = usual_choice(s);
        if (usual < 0)
            return false;
        uint32_t actor = choose(d, level, usual);
        if (actor == MAX_ACTORS) {
            s->redundant++;
            return false;
        }
        level->actor = (uint16_t)actor;
        level->alternative = 0;
        put(&level->backtrack, actor);
        d->length = at + 1;
    }
    *next = (struct step){level->actor, level->alternative};
    return true;
}

// What is to be tried next at this level, once its present step has been tried in every way below.
static bool advance(struct dpor *d, uint32_t at)
{
    struct level *level = &d->levels[at];
    const struct event *e = &d->s.exec->events[at];
    if (level->alternative + 1u < e->alternatives) {
        level->alternative++;
        return true;
    }
    put(&level->sleep, level->actor);
    level->effect[level->actor] = e->effect;
    for (uint32_t i = 0; i * 64 < d->s.exec->known; i++) {
        uint64_t untried = level->backtrack.word[i] & ~level->sleep.word[i];
        if (untried) {
            level->actor = (uint16_t)(i * 64 + (uint32_t)__builtin_ctzll(untried));
            level->alternative = 0;
            return true;
        }
    }
    return false;
}

// Whether there is anything to be tried at this level besides its present step.
static bool has_more(const struct dpor *d, const struct level *level, const struct event *e)
{
    if (level->alternative + 1u < e->alternatives)
        return true;
    for (uint32_t i = 0; i * 64 < d->s.exec->known; i++) {
        uint64_t own = level->actor / 64 == i ? 1ull << (level->actor % 64) : 0;
        if (level->backtrack.word[i] & ~level->sleep.word[i] & ~own)
            return true;
    }
    return false;
}

// Some execution of the subspace that is left out may do the later operation before the earlier event.
static void owe_for_unseen(void *dpor, uint32_t earlier, uint32_t actor, struct op later)
{
    struct dpor *d = dpor;
    const struct event *e = &d->s.exec->events[earlier];
    struct level *level = &d->levels[earlier];
    if (has(&level->backtrack, actor) ||
        !ops_depend(op_table[later.kind].at_most, later.object, (enum effect)e->effect, e->object) ||
        !dpor_may_be_coenabled(d->s.exec, (enum op_kind)later.kind, (enum op_kind)e->kind))
        return;
    if (has(&level->enabled, actor) && !has(&level->asleep, actor))
        put(&level->backtrack, actor);
    else
        level->backtrack = level->enabled;
}

// Whether this level asks for something else to be tried, and it is not known whether that can show a race.
static bool is_open(const struct dpor *d, uint32_t at)
{
    const struct level *level = &d->levels[at];
    return !level->judged && has_more(d, level, &d->s.exec->events[at]);
}

static bool is_race_free(struct dpor *d, uint32_t at)
{
    d->s.account.judged++;
    return subspace_is_race_free(d->subspace, at);
}

// The open levels up to `deepest`, deepest first, as far as there is hope.
static uint32_t gather_open(struct dpor *d, uint32_t deepest)
{
    uint32_t count = 0;
    for (uint32_t at = deepest + 1; at-- > d->root;)
        if (d->levels[at].judged || (d->levels[at].doubted && at != deepest))
            break;
        else if (is_open(d, at))
            d->open[count++] = at;
    return count;
}

// How many of the open levels, from the deepest on, have subspaces without a race. A subspace is part of those of the levels above
// it, so not every one has to be asked about: where all were without a race the last time, the uppermost one is the first.
static uint32_t count_race_free(struct dpor *d, uint32_t open)
{
    uint32_t free = 0, unknown = open, asked = d->all_free ? open : 1;
    while (free < unknown) {
        if (is_race_free(d, d->open[asked - 1])) {
            free = asked;
        } else {
            d->levels[d->open[asked - 1]].doubted = d->executions;
            unknown = asked - 1;
        }
        asked = unknown < open ? free + (unknown - free + 1) / 2 : free * 2 < open ? free * 2 : open;
    }
    d->all_free = free == open;
    return free;
}

// Leaves out what is owed at this level and at some above it, if it would show no race; returns the uppermost one of them, or
// NO_EVENT.
static uint32_t leave_out(struct dpor *d, uint32_t at)
{
    if (!d->tells || !is_open(d, at))
        return NO_EVENT;
    bool asked = d->levels[at].doubted == d->executions;
    uint32_t free = asked ? 0 : count_race_free(d, gather_open(d, at));
    d->levels[at].judged = !free;
    if (!free)
        return NO_EVENT;
    d->s.account.pruned += free;
    subspace_each_unordered(d->subspace, d->root, d->open[free - 1], owe_for_unseen, d);
    return d->open[free - 1];
}

static bool dpor_next(struct strategy *s, uint32_t *depth)
{
    struct dpor *d = self(s);
    d->executions++;
    d->tells = d->subspace && subspace_look(d->subspace);
    for (uint32_t at = s->exec->count; at-- > d->root;) {
        uint32_t left = leave_out(d, at);
        if (left != NO_EVENT) {
            at = left;
        } else if (advance(d, at)) {
            d->length = at + 1;
            *depth = at;
            return true;
        }
    }
    return false;
}

static void dpor_free(struct strategy *s)
{
    struct dpor *d = self(s);
    mem_release(d->levels, (s->exec->limit + 1) * sizeof *d->levels);
    mem_release(d->open, (s->exec->limit + 1) * sizeof *d->open);
    if (d->subspace)
        subspace_free(d->subspace);
    mem_release(d, sizeof *d);
}

struct strategy *dpor_new(struct target *target, const struct strategy_options *options)
{
    struct dpor *d = mem_reserve(sizeof *d);
    d->s = (struct strategy){.name = "dpor",
                             .target = target,
                             .exec = target->exec,
                             .pick = dpor_pick,
                             .next = dpor_next,
                             .free = dpor_free};
    d->levels = mem_reserve((target->exec->limit + 1) * sizeof *d->levels);
    d->open = mem_reserve((target->exec->limit + 1) * sizeof *d->open);
    d->subspace = options->journal ? subspace_new(target->exec, options->journal) : NULL;
    d->root = d->length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        d->levels[i] = (struct level){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    return &d->s;
}
