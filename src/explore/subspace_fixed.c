#include "explore/subspace_fixed.h"

// Operations that give the same result in every order of what the threads do, if they give one at all.
static bool fixed_kind(enum op_kind kind)
{
    switch (kind) {
    case OP_LOCK:
    case OP_UNLOCK:
    case OP_WAIT:
    case OP_SIGNAL:
    case OP_BROADCAST:
    case OP_RDLOCK:
    case OP_WRLOCK:
    case OP_RWUNLOCK:
    case OP_SEM_WAIT:
    case OP_SEM_POST:
    case OP_JOIN:
    case OP_BEGIN:
    case OP_END:
    case OP_YIELD:
    case OP_EXIT:
        return true;
    default:
        return false;
    }
}

// Operations whose result their object decides, and nothing else.
static bool decided_by_object(enum op_kind kind)
{
    switch (kind) {
    case OP_LOAD:
    case OP_STORE:
    case OP_RMW:
    case OP_CAS:
    case OP_VOLATILE_READ:
    case OP_VOLATILE_WRITE:
    case OP_TRYLOCK:
    case OP_ONCE:
    case OP_SEM_TRYWAIT:
    case OP_FD_READ:
    case OP_FD_WRITE:
        return true;
    default:
        return false;
    }
}

static struct object_use *use_of(struct object_uses *u, uint32_t object)
{
    uint32_t at = object * 0x9e3779b1u >> 22;
    for (uint32_t tries = 0; tries < OBJECT_USES; tries++, at = (at + 1) % OBJECT_USES) {
        struct object_use *use = &u->use[at];
        if (use->round != u->round)
            *use = (struct object_use){.object = object, .round = u->round};
        if (use->object == object)
            return use;
    }
    return NULL;
}

// Whether results are the same in every order, of this event and of those after it that are known already.
static bool stays_fixed(struct object_uses *u, const struct event *e)
{
    enum op_kind kind = (enum op_kind)e->kind;
    struct object_use *use = e->object ? use_of(u, e->object) : NULL;
    bool first = use && !use->actor && !use->written && !use->asked && !use->several;
    if (!fixed_kind(kind) && (!use || !decided_by_object(kind)))
        return false;
    if (!use)
        return !e->object;
    use->several |= !first && use->actor != e->actor + 1u;
    use->actor = e->actor + 1u;
    use->written |= op_table[kind].at_most != EFFECT_READ;
    use->asked |= !fixed_kind(kind);
    return !(use->several && use->written && use->asked);
}

static bool all_are_fixed(const struct exec *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        if (!fixed_kind((enum op_kind)x->events[i].kind))
            return false;
    return true;
}

uint32_t fixed_from(struct object_uses *u, const struct exec *x)
{
    if (all_are_fixed(x))
        return 0;
    uint32_t from = x->count;
    u->round++;
    while (from && stays_fixed(u, &x->events[from - 1]))
        from--;
    return from;
}
