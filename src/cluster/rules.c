#include "cluster/rules.h"

#include <stdio.h>

#include "cluster/words.h"
#include "target/nodes/node_events.h"

enum { PATTERNS = HEDDLE_OF(1) - 1 };

static unsigned pattern_of_loss(unsigned impact)
{
    return impact == HEDDLE_LOCAL ? HEDDLE_DISCARD : impact & HEDDLE_GLOBAL ? HEDDLE_TURN : 0;
}

// What the rules say of an entry, as a sum of HEDDLE_DISCARD and so on; 0 if none applies.
static unsigned pattern(uint32_t channel)
{
    const struct heddle_protocol *p = world.library.protocol;
    const struct heddle_rules *r = p->rules;
    const struct channel *c = &world.channel[channel];
    const struct entry *e = channel_head(channel);
    const void *state = world.report[c->node];
    if (!node_takes(c, e))
        return HEDDLE_STALE;
    switch (e->kind) {
    case ENTRY_MESSAGE:
        return r->message ? r->message(state, e->from, world.data + e->offset, e->size) : HEDDLE_MODIFY;
    case ENTRY_DOWN:
        return r->down ? pattern_of_loss(r->down(state, e->from, world.report[e->from])) : 0;
    case ENTRY_REQUEST:
        return r->request ? r->request(state, p->requests[c->number].number) : 0;
    case ENTRY_TIMER:
        return r->timer ? r->timer(state, c->number) : 0;
    default:
        return 0;
    }
}

static bool is_loss(uint32_t channel)
{
    return channel_head(channel)->kind == ENTRY_DOWN;
}

// Whether both count, or both lead to a constant, and it is the same.
static bool are_same(unsigned a, unsigned b, unsigned pattern)
{
    return a & b & pattern && (a | PATTERNS) == (b | PATTERNS);
}

static bool are_independent(unsigned a, unsigned b)
{
    if ((a | b) & HEDDLE_STALE)
        return true;
    if (!(a & PATTERNS) || !(b & PATTERNS))
        return false;
    if ((a & HEDDLE_MODIFY && !(b & HEDDLE_DISCARD)) || (b & HEDDLE_MODIFY && !(a & HEDDLE_DISCARD)))
        return false;
    if ((a | b) & HEDDLE_TURN)
        return false;
    return (a | b) & HEDDLE_DISCARD || are_same(a, b, HEDDLE_INCREMENT) || are_same(a, b, HEDDLE_CONSTANT);
}

bool rules_independent(const struct policy *policy, uint32_t one, uint32_t other)
{
    bool applies = is_loss(one) || is_loss(other) ? policy->cmi : policy->lmi;
    if (!applies || !world.library.protocol->rules)
        return false;
    return are_independent(pattern(one), pattern(other));
}

void rules_accuse(uint32_t one, uint32_t other, char *text, size_t room)
{
    char a[160], b[160], state[160];
    int node = world.channel[one].node;
    words_of_entry(&world.channel[one], channel_head(one), a, sizeof a);
    words_of_entry(&world.channel[other], channel_head(other), b, sizeof b);
    words_of_state(node, state, sizeof state);
    snprintf(text, room, "at node %d%s%s the rules call '%s' and '%s' independent, but the two orders differ", node,
             *state ? " in state " : "", state, a, b);
}
