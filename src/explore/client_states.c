// Depth-first search that goes on from each state once: objects without locks have few states and very many traces.
//
// Whoever makes the search knows what a state is (strategy_options.known): everything that what can still happen, and what
// will be said of it, depends on. Then leaving a state that was come to before leaves nothing out, whatever the path. No
// other reduction is combined with this but one: the beginning of a call (OP_CALL) has no effect, and later beginnings leave
// fewer orders to explain what the calls gave. So a call begins right before its first step, in one go with it; beginning
// earlier is tried only where that step cannot be taken, since a call that waits has to have begun.
//
// Which races can still show belongs to a state, too (target/threads/engine/knowledge.h). It does not follow from memory: what a
// step does besides its operation is done at once, so that two accesses that race need not stand in steps that can follow each
// other, and whether they race may depend on how the state came about (tests/data/late_write.c).
#include "base/mem.h"
#include "explore/strategy.h"

struct level {
    uint16_t actor, alternative;
    bool only; // nobody else is to be tried here
};

struct client_states {
    struct strategy s;
    struct strategy_options options;
    struct level *levels;
    uint32_t length; // levels that are planned
};

static struct client_states *self(struct strategy *s)
{
    return (struct client_states *)s;
}

static bool last_began_a_call(const struct exec *x)
{
    return x->count && x->events[x->count - 1].kind == OP_CALL;
}

// The actor that has to go on, or -1.
static int committed(const struct strategy *s)
{
    if (!last_began_a_call(s->exec))
        return -1;
    uint32_t actor = s->exec->events[s->exec->count - 1].actor;
    return can_run(s, actor) && s->exec->actors[actor].pending.kind != OP_CALL ? (int)actor : -1;
}

// Who ran last goes on first; then the others in the order of their numbers.
static int first_choice(const struct strategy *s)
{
    uint32_t last = s->exec->count ? s->exec->events[s->exec->count - 1].actor : 0;
    return s->exec->count && can_run(s, last) ? (int)last : lowest_ready(s);
}

// The first actor from `from` on that can run, leaving one out; -1 if there is none.
static int next_choice(const struct strategy *s, uint32_t from, int but)
{
    for (uint32_t actor = from; actor < s->exec->known; actor++)
        if ((int)actor != but && can_run(s, actor))
            return (int)actor;
    return -1;
}

static bool plan(struct client_states *st, uint32_t at)
{
    struct strategy *s = &st->s;
    int actor = committed(s);
    bool only = actor >= 0;
    if (!only)
        actor = first_choice(s);
    if (actor < 0 || (!only && st->options.known(st->options.known_context)))
        return false;
    st->levels[at] = (struct level){(uint16_t)actor, 0, only};
    st->length = at + 1;
    return true;
}

static bool client_states_pick(struct strategy *s, struct step *next)
{
    struct client_states *st = self(s);
    uint32_t at = s->exec->count;
    if (at >= st->length && !plan(st, at))
        return false;
    *next = (struct step){st->levels[at].actor, st->levels[at].alternative};
    return true;
}

// The next option at the depth the execution now stands at; false if there is none.
static bool advance(struct client_states *st, uint32_t at)
{
    struct strategy *s = &st->s;
    struct level *level = &st->levels[at];
    can_run(s, level->actor); // brings the number of outcomes up to date
    if (level->alternative + 1u < s->exec->actors[level->actor].pending.alternatives) {
        level->alternative++;
        return true;
    }
    if (level->only)
        return false;
    int first = first_choice(s);
    int actor = next_choice(s, level->actor == (uint32_t)first ? 0 : level->actor + 1u, first);
    if (actor < 0)
        return false;
    level->actor = (uint16_t)actor;
    level->alternative = 0;
    return true;
}

static bool client_states_next(struct strategy *s, uint32_t *depth)
{
    struct client_states *st = self(s);
    for (uint32_t at = s->exec->count; at-- > st->options.root;) {
        s->target->restart(s->target, at);
        if (advance(st, at)) {
            st->length = at + 1;
            *depth = at;
            return true;
        }
    }
    return false;
}

static void client_states_free(struct strategy *s)
{
    struct client_states *st = self(s);
    mem_release(st->levels, (s->exec->limit + 1) * sizeof *st->levels);
    mem_release(st, sizeof *st);
}

struct strategy *client_states_new(struct target *target, const struct strategy_options *options)
{
    if (!options->known)
        return NULL;
    struct client_states *st = mem_reserve(sizeof *st);
    st->s = (struct strategy){.name = "client states",
                              .target = target,
                              .exec = target->exec,
                              .pick = client_states_pick,
                              .next = client_states_next,
                              .free = client_states_free};
    st->options = *options;
    st->levels = mem_reserve((target->exec->limit + 1) * sizeof *st->levels);
    st->length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        st->levels[i] =
            (struct level){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    return &st->s;
}
