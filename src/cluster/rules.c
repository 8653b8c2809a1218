#include "cluster/rules.h"

#include <stdio.h>

#include "cluster/words.h"
#include "target/nodes/world.h"

// What the rules say of an entry, as a sum of HEDDLE_DISCARD and so on; 0 if none applies.
static unsigned pattern(const struct policy *policy, uint32_t channel)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    const struct entry *e = channel_head(channel);
    const void *state = world.report[world.channel[channel].node];
    if (e->kind == ENTRY_MESSAGE && policy->lmi && r->message)
        return r->message(state, e->from, world.data + e->offset, e->size);
    if (e->kind == ENTRY_DOWN && policy->cmi && r->down)
        return r->down(state, e->from, world.report[e->from]) == HEDDLE_LOCAL ? HEDDLE_DISCARD : 0;
    return 0;
}

bool rules_independent(const struct policy *policy, uint32_t one, uint32_t other)
{
    if (!world.library.protocol->rules || !node_local(world.channel[one].node)->up)
        return false;
    unsigned a = pattern(policy, one), b = pattern(policy, other);
    if ((a & HEDDLE_MODIFY && !(b & HEDDLE_DISCARD)) || (b & HEDDLE_MODIFY && !(a & HEDDLE_DISCARD)))
        return false;
    return (a | b) & HEDDLE_DISCARD || a & b & (HEDDLE_INCREMENT | HEDDLE_CONSTANT);
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
