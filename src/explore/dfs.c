// Plain depth-first search over every interleaving of visible operations: the oracle for all other strategies, and,
// with a bound on preemptions, the search that covers every state reachable with at most that many.
//
// A preemption is a step of another actor although the one that ran last could have gone on, perhaps only to a failure that stops
// it. Actor 0 runs before the first step. No operation is left out of the choice, not even one without effect on
// others (joining a thread that has ended): the end of the process depends on it, and taking it at once could use up
// preemptions. Beginning to wait on a condition variable and letting go of its mutex are two steps where the target makes two of
// them: another thread may signal in between and find the mutex taken.
//
// Where actors are exactly alike only one of them is tried (strategy_options.likes): whatever can follow a step of one of them
// can follow the same step of another, with the two in each other's places. All that follows the step is covered
// up to such renaming, by induction over its length, so all that can follow the state is. (Seed 002, SYMPOR, Figure 7.6, combines
// this with dynamic partial-order reduction. That loses executions: a race that only the actor left out would have shown may ask for
// an earlier choice, made where the two were not alike yet. Here nothing asks for choices: all are tried.)
#include <string.h>

#include "base/mem.h"
#include "explore/dfs.h"

// One thing to do at some depth. Options are tried in the order actor × alternative, after the one that costs nothing.
struct option {
    uint16_t actor, alternative;
    uint16_t preemptions; // spent up to and with this step
};

// One depth of the current path. What to try after it is found when the execution passes, not when it goes back: if the target
// goes back by replay, coming back only to look would repeat the whole path.
struct level {
    struct option now, then;
    bool more; // there is a `then`, or it has not been looked for yet
};

struct dfs {
    struct strategy s;
    uint32_t root;
    uint32_t bound;
    bool left_out; // something, because of the bound
    void (*likes)(void *context, uint16_t *lowest);
    bool (*grown)(void *context);
    void *likes_context;
    uint32_t length; // levels that are planned
    struct level *levels;
};

static struct dfs *self(struct strategy *s)
{
    return (struct dfs *)s;
}

bool dfs_is_preempted(const struct strategy *s, uint32_t last)
{
    return can_run(s, last) || s->exec->actors[last].state == ACTOR_STOPPED;
}

// What running `actor` next costs: 1 if it preempts the actor that ran last.
static uint32_t cost(const struct strategy *s, uint32_t actor)
{
    uint32_t last = exec_last_to_run(s->exec);
    return last != actor && dfs_is_preempted(s, last);
}

// What is tried first: the choice that costs nothing, if there is one.
static int first_choice(const struct strategy *s)
{
    uint32_t last = exec_last_to_run(s->exec);
    return can_run(s, last) ? (int)last : lowest_ready(s);
}

static uint32_t spent_before(const struct dfs *d, uint32_t at)
{
    return at > d->root ? d->levels[at - 1].now.preemptions : 0;
}

// Whether somebody was tried in the present state already who is exactly like this actor.
static bool is_like_another(const struct dfs *d, const uint16_t *lowest, uint32_t actor, uint32_t first)
{
    if (!d->likes)
        return false;
    for (uint32_t other = 0; other < actor; other++)
        if (lowest[other] == lowest[actor] && can_run(&d->s, other))
            return true;
    return lowest[first] == lowest[actor];
}

// Finds the option after the one that is about to be taken, at the depth the execution now stands at. The first choice is
// followed by the others in the order of their numbers.
static void look_ahead(struct dfs *d, uint32_t at)
{
    struct strategy *s = &d->s;
    struct level *level = &d->levels[at];
    level->more = true;
    level->then = level->now;
    can_run(s, level->now.actor); // brings the number of outcomes up to date
    if (++level->then.alternative < s->exec->actors[level->now.actor].pending.alternatives)
        return;
    level->more = false;
    uint16_t lowest[MAX_ACTORS];
    if (d->likes)
        d->likes(d->likes_context, lowest);
    int first = first_choice(s);
    uint32_t from = level->now.actor == (uint32_t)first ? 0 : level->now.actor + 1u;
    for (uint32_t actor = from; actor < s->exec->known; actor++) {
        if (actor == (uint32_t)first || !can_run(s, actor))
            continue;
        if (is_like_another(d, lowest, actor, (uint32_t)first)) {
            s->account.left_to_others++;
            continue;
        }
        uint32_t total = spent_before(d, at) + cost(s, actor);
        if (d->bound != NO_BOUND && total > d->bound) {
            d->left_out = true;
            continue;
        }
        level->then = (struct option){(uint16_t)actor, 0, (uint16_t)total};
        level->more = true;
        return;
    }
}

static bool dfs_pick(struct strategy *s, struct step *next)
{
    struct dfs *d = self(s);
    uint32_t at = s->exec->count;
    struct level *level = &d->levels[at];
    if (at >= d->length) {
        int actor = first_choice(s);
        uint32_t total = spent_before(d, at) + (actor < 0 ? 0 : cost(s, (uint32_t)actor));
        d->left_out |= actor >= 0 && total > d->bound;
        if (actor < 0 || total > d->bound)
            return false;
        level->now = (struct option){(uint16_t)actor, 0, (uint16_t)total};
        d->length = at + 1;
    }
    if (at >= d->root && d->likes)
        level->more = true; // who is alike may be known better later on
    else if (at >= d->root)
        look_ahead(d, at);
    *next = (struct step){level->now.actor, level->now.alternative};
    return true;
}

static bool dfs_next(struct strategy *s, uint32_t *depth)
{
    struct dfs *d = self(s);
    if (d->likes && d->grown && d->grown(d->likes_context)) { // who was alike may not have been: all begins anew
        s->target->restart(s->target, d->root);
        *depth = d->length = d->root;
        s->account.left_to_others = 0;
        return !s->target->lost;
    }
    for (uint32_t at = s->exec->count; at-- > d->root;) {
        struct level *level = &d->levels[at];
        if (d->likes) {
            s->target->restart(s->target, at);
            if (s->target->lost)
                return false;
            look_ahead(d, at);
        }
        if (level->more) {
            level->now = level->then;
            d->length = at + 1;
            *depth = at;
            return true;
        }
    }
    return false;
}

uint32_t dfs_spent(const struct strategy *dfs, uint32_t events)
{
    const struct dfs *d = (const struct dfs *)dfs;
    return events > d->root ? d->levels[events - 1].now.preemptions : 0;
}

bool dfs_left_out(const struct strategy *dfs)
{
    return ((const struct dfs *)dfs)->left_out;
}

static void dfs_free(struct strategy *s)
{
    struct dfs *d = self(s);
    mem_release(d->levels, (s->exec->limit + 1) * sizeof *d->levels);
    mem_release(d, sizeof *d);
}

struct strategy *dfs_new(struct target *target, const struct strategy_options *options)
{
    struct dfs *d = mem_reserve(sizeof *d);
    d->s = (struct strategy){
        .name = "dfs", .target = target, .exec = target->exec, .pick = dfs_pick, .next = dfs_next, .free = dfs_free};
    d->levels = mem_reserve((target->exec->limit + 1) * sizeof *d->levels);
    d->bound = options->preemptions;
    d->likes = d->bound == NO_BOUND ? options->likes : NULL;
    d->likes_context = options->state_context;
    d->grown = options->grown;
    d->root = d->length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        d->levels[i].now =
            (struct option){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    return &d->s;
}
