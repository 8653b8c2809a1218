#include "explore/states_search.h"

// ---- kin ----

// For whom an operation stands, and for which object, wherever the state is come to.
void states_generalise(const struct states *st, uint32_t *actor, uint32_t *object)
{
    if (st->options.kin)
        st->options.kin(st->options.state_context, actor, object);
}

static uint32_t add_operation(struct states *st, uint32_t future, uint32_t actor, enum effect effect, uint32_t object)
{
    states_generalise(st, &actor, &object);
    return futures_add(st->futures, future, actor, effect, object);
}

// Adds the actors of a kin, but for one, to a set. `left`: also those that have come to their end by now.
void states_add_kin(const struct states *st, uint64_t *set, uint32_t kin, uint32_t but, bool left)
{
    const struct exec *x = st->s.exec;
    for (uint32_t actor = 0; actor < x->known; actor++) {
        uint32_t its = actor, object = 0, state = x->actors[actor].state;
        states_generalise(st, &its, &object);
        if (its == kin && actor != but && (left || (state != ACTOR_ENDED && state != ACTOR_STOPPED)))
            set[actor / 64] |= 1ull << (actor % 64);
    }
}

// ---- choosing ----

// What every actor is about to do.
uint32_t states_pending(struct states *st)
{
    const struct exec *x = st->s.exec;
    uint32_t future = FUTURE_EMPTY;
    for (uint32_t word = 0; st->futures && word * 64 < x->known; word++) {
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            const struct op *op = &x->actors[actor].pending;
            future = add_operation(st, future, actor, op_table[op->kind].at_most, op->object);
        }
    }
    return future;
}

static int without_effect(const struct strategy *s)
{
    for (uint32_t actor = 0; actor < s->exec->known; actor++)
        if (can_run(s, actor) && op_table[s->exec->actors[actor].pending.kind].at_most == EFFECT_NONE)
            return (int)actor;
    return -1;
}

// In which order actors are tried: those who share a search go different ways.
static uint64_t rank(const struct states *st, uint32_t actor)
{
    if (st->who < 2)
        return st->who ? MAX_ACTORS - actor : actor;
    return fingerprint_scramble((uint64_t)st->who << 40 | (uint64_t)st->s.exec->count << 16 | actor);
}

static int first_by_rank(const struct states *st)
{
    int found = -1;
    for (uint32_t actor = 0; actor < st->s.exec->known; actor++)
        if (can_run(&st->s, actor) && (found < 0 || rank(st, actor) < rank(st, (uint32_t)found)))
            found = (int)actor;
    return found;
}

int states_first_choice(struct states *st)
{
    int actor = st->reduction == ALL_ACTORS ? -1 : without_effect(&st->s);
    return actor >= 0 ? actor : st->who ? first_by_rank(st) : usual_choice(&st->s);
}

// Somebody who can run, is to be tried and was not; -1 if there is nobody. Sets `whole` if somebody is needed who cannot run.
int states_next_choice(struct states *st, struct level *level)
{
    const struct strategy *s = &st->s;
    int found = -1;
    for (uint32_t actor = 0; actor < s->exec->known; actor++) {
        if (states_have(level->tried, actor) || !(level->whole || states_have(level->needed, actor)))
            continue;
        if (can_run(s, actor)) {
            found = found < 0 || rank(st, actor) < rank(st, (uint32_t)found) ? (int)actor : found;
        } else if (!level->whole) {
            level->whole = true;
            return states_next_choice(st, level);
        }
    }
    return found;
}

// An operation of this actor may come, or could have come, after the steps on the path: it is to be tried in front of those that
// it depends on.
static void ask_for(void *context, const struct op_node *node)
{
    struct states *st = context;
    const struct exec *x = st->s.exec;
    for (uint32_t e = x->count; e-- > st->options.root;) {
        const struct event *event = &x->events[e];
        uint32_t actor = event->actor, object = event->object;
        states_generalise(st, &actor, &object);
        if (!ops_depend(event->effect, object, node->effect, node->object))
            continue;
        if (node->actor >= KIN)
            states_add_kin(st, st->levels[e].needed, node->actor, event->actor, true);
        else if (actor != node->actor)
            st->levels[e].needed[node->actor / 64] |= 1ull << (node->actor % 64);
    }
}

static uint32_t node_of(struct states *st, uint32_t actor, enum op_kind kind, uint32_t object)
{
    states_generalise(st, &actor, &object);
    return op_graph_node(st->graph, actor, kind, object);
}

// The present state was come to: what is pending there can follow the newest event; if it was known, so can whatever can follow that.
void states_ask_for_pending(struct states *st, bool known)
{
    const struct exec *x = st->s.exec;
    const struct event *newest = x->count ? &x->events[x->count - 1] : NULL;
    op_graph_unmark(st->graph);
    for (uint32_t actor = 0; actor < x->known; actor++) {
        if (!exec_is_parked(x, actor))
            continue;
        const struct op *op = &x->actors[actor].pending;
        uint32_t node = node_of(st, actor, op->kind, op->object), who = actor, object = op->object;
        if (newest)
            op_graph_follow(st->graph, node_of(st, newest->actor, newest->kind, newest->object), node);
        states_generalise(st, &who, &object);
        if (known)
            op_graph_mark(st->graph, node);
        else
            ask_for(st, &(struct op_node){who, object, op_table[op->kind].at_most});
    }
    if (known)
        op_graph_each(st->graph, ask_for, st);
}
