// Which events an operation that is about to be done races with, for strategies that try it in front of those (dpor.c, ddpor.c).
#ifndef EXPLORE_DPOR_RACES_H
#define EXPLORE_DPOR_RACES_H

#include "explore/strategy.h"

// Whether the two can ever be possible in the same state: a mutex is never both free and held.
static inline bool dpor_may_be_coenabled(const struct exec *x, enum op_kind a, enum op_kind b)
{
    return x->any_unlocks || (!(op_table[a].takes && b == OP_UNLOCK) && !(op_table[b].takes && a == OP_UNLOCK));
}

static inline bool dpor_races(const struct exec *x, uint32_t actor, const struct event *e)
{
    const struct actor *a = &x->actors[actor];
    return e->actor != actor &&
           ops_depend(op_table[a->pending.kind].at_most, a->pending.object, e->effect, e->object) &&
           dpor_may_be_coenabled(x, a->pending.kind, (enum op_kind)e->kind) && !clock_knows(x, a->clock, e);
}

// The newest event from `first` on that the actor's pending operation races with, or NO_EVENT. Only events of its object
// and the end of the process, which is the last event, can; and if the actor knows of a write, it knows of everything that was done to the object before.
static inline uint32_t dpor_newest_race(const struct exec *x, uint32_t actor, uint32_t first)
{
    const struct op *op = &x->actors[actor].pending;
    if (x->count > first && x->events[x->count - 1].effect == EFFECT_ALL &&
        dpor_races(x, actor, &x->events[x->count - 1]))
        return x->count - 1;
    if (op_table[op->kind].at_most == EFFECT_ALL) {
        for (uint32_t e = x->count; e-- > first;)
            if (dpor_races(x, actor, &x->events[e]))
                return e;
        return NO_EVENT;
    }
    const struct object *o = &x->objects[op->object];
    uint32_t e = op_table[op->kind].at_most == EFFECT_NONE || o->effect == EFFECT_NONE ? NO_EVENT : o->group;
    while (e != NO_EVENT && e >= first) {
        const struct event *event = &x->events[e];
        if (dpor_races(x, actor, event))
            return e;
        if (event->effect == EFFECT_WRITE && clock_knows(x, x->actors[actor].clock, event))
            return NO_EVENT;
        e = event->old_effect == EFFECT_NONE ? NO_EVENT : event->old_group;
    }
    return NO_EVENT;
}

#endif
