// Iterative context bounding (Musuvathi, Qadeer, PLDI 2007): all executions without a preemption, then all with at most
// one, and so on. Bugs that need few preemptions are found wherever in a long execution they are, and each bound that is
// completed says something on its own. If a bound left nothing out, everything has been covered.
//
// Each bound is a depth-first search of its own (dfs.c), which repeats executions with fewer preemptions: they lead to the
// places where one more preemption is possible, and are few compared with the new ones. A state that the same search has
// reached by another order of independent events (seen.c) is not explored again.
//
// A bound on preemptions cannot be combined with the reductions of `optimal` and `dpor`: the execution that stands for
// a trace may need more preemptions than another execution of the same trace. So each bound is a plain search, and all
// that is saved is the second visit of a state, which needs no argument about executions that were left out. A state is
// skipped if it was entered before with the same actor running and as many preemptions left, or with one more left and
// any actor running. Entries of a smaller bound do not count: only a bound that left nothing out proves that everything
// was covered.
//
// What counts as a preemption depends on what is a step. See worker/turns.h.
#include "base/mem.h"
#include "explore/dfs.h"
#include "explore/seen.h"

struct bounded {
    struct strategy s;
    struct strategy *dfs;
    struct strategy_options options;
    uint32_t bound, most;
    uint32_t shared; // events that the execution before has too: no new states
    struct seen *seen;
};

static struct bounded *self(struct strategy *s)
{
    return (struct bounded *)s;
}

// Whether the turn has changed with the last event or must change now: in between no two paths meet.
static bool between_turns(const struct strategy *s, bool goes_on)
{
    uint32_t at = s->exec->count;
    return !goes_on || (at > 1 && s->exec->events[at - 1].actor != s->exec->events[at - 2].actor);
}

static bool seen_already(struct bounded *b)
{
    const struct exec *x = b->s.exec;
    if (x->count <= b->shared)
        return false;
    uint32_t last = x->events[x->count - 1].actor;
    bool goes_on = dfs_is_preempted(&b->s, last);
    if (!between_turns(&b->s, goes_on))
        return false;
    uint32_t left = b->bound - dfs_spent(b->dfs, x->count);
    return seen_before(b->seen, b->bound, goes_on ? last : MAX_ACTORS, left);
}

static bool bounded_pick(struct strategy *s, struct step *next)
{
    struct bounded *b = self(s);
    seen_follow(b->seen);
    if (seen_already(b)) {
        s->redundant++;
        return false;
    }
    return b->dfs->pick(b->dfs, next);
}

static void begin_bound(struct bounded *b, uint32_t bound)
{
    b->bound = b->options.preemptions = bound;
    b->dfs = dfs_new(b->s.target, &b->options);
}

static bool bounded_next(struct strategy *s, uint32_t *depth)
{
    struct bounded *b = self(s);
    if (b->dfs->next(b->dfs, depth)) {
        b->shared = *depth;
        return true;
    }
    bool whole = !dfs_left_out(b->dfs);
    s->account.bounds = whole ? NO_BOUND : b->bound + 1;
    if (whole || b->bound == b->most)
        return false;
    b->dfs->free(b->dfs);
    begin_bound(b, b->bound + 1);
    *depth = b->shared = b->options.root;
    return true;
}

static void bounded_free(struct strategy *s)
{
    struct bounded *b = self(s);
    b->dfs->free(b->dfs);
    seen_free(b->seen);
    mem_release(b, sizeof *b);
}

struct strategy *bounded_new(struct target *target, const struct strategy_options *options)
{
    struct bounded *b = mem_reserve(sizeof *b);
    b->s = (struct strategy){.name = "bounded",
                             .target = target,
                             .exec = target->exec,
                             .pick = bounded_pick,
                             .next = bounded_next,
                             .free = bounded_free};
    b->options = *options;
    b->most = options->preemptions;
    b->shared = options->root;
    b->seen = seen_new(target->exec);
    begin_bound(b, 0);
    return &b->s;
}
