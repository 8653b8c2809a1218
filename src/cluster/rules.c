#include "cluster/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/mem.h"
#include "cluster/policy.h"
#include "cluster/words.h"
#include "target/nodes/world.h"

enum { HISTORY = 1 << 20, ABSTRACT = 64 };

void rules_open(struct rules *rules, const struct policy *policy)
{
    *rules =
        (struct rules){policy->lmi, policy->cmi, policy->crs, policy->rss, mem_reserve(HISTORY * sizeof(uint64_t))};
}

void rules_close(struct rules *rules)
{
    mem_release(rules->history, HISTORY * sizeof(uint64_t));
}

// What the rules say of an entry, as a sum of HEDDLE_DISCARD and so on; 0 if none applies.
static unsigned pattern(const struct rules *rules, uint32_t channel)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    const struct entry *e = channel_head(channel);
    const void *state = world.report[world.channel[channel].node];
    if (e->kind == ENTRY_MESSAGE && rules->lmi && r->message)
        return r->message(state, e->from, world.data + e->offset, e->size);
    if (e->kind == ENTRY_DOWN && rules->cmi && r->down)
        return r->down(state, e->from, world.report[e->from]) == HEDDLE_LOCAL ? HEDDLE_DISCARD : 0;
    return 0;
}

bool rules_independent(const struct rules *rules, uint32_t one, uint32_t other)
{
    if (!world.library.protocol->rules || !node_local(world.channel[one].node)->up)
        return false;
    unsigned a = pattern(rules, one), b = pattern(rules, other);
    if ((a & HEDDLE_MODIFY && !(b & HEDDLE_DISCARD)) || (b & HEDDLE_MODIFY && !(a & HEDDLE_DISCARD)))
        return false;
    return (a | b) & HEDDLE_DISCARD || a & b & (HEDDLE_INCREMENT | HEDDLE_CONSTANT);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Whether it is settled that the node crashes, or comes back, later on.
static bool has_fault_ahead(int node)
{
    const struct queue *q = &world.queue[world.fault_channel + (uint32_t)node];
    return q->count && q->stage == STAGE_EVENT;
}

// What recovery depends on: the abstractions of all nodes that are up, sorted, since who is who often does not matter; and
// which of them are still to crash or to come back, since another crash may hide what this one leads to; and how much more
// may go wrong.
static uint64_t abstraction(size_t (*rule)(const void *, int, const void *, void *), int peer, unsigned kind)
{
    uint64_t each[MAX_NODES] = {0};
    size_t n = 0;
    for (int i = 0; i < world.options.nodes; i++) {
        uint8_t abstract[ABSTRACT] = {0};
        bool up = node_local(i)->up, ahead = has_fault_ahead(i);
        if (i == peer || (!up && !ahead))
            continue;
        size_t size = up ? rule(world.report[i], peer, world.report[peer], abstract) : 0;
        each[n++] = XXH3_64bits_withSeed(abstract, size < ABSTRACT ? size : ABSTRACT, size << 2 | up << 1 | ahead);
    }
    qsort(each, n, sizeof *each, compare);
    uint64_t left = XXH3_64bits_withSeed(world.counts.left, sizeof world.counts.left, kind);
    return XXH3_64bits_withSeed(each, n * sizeof *each, left) | 1;
}

bool rules_symmetric(struct rules *rules, uint32_t channel)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    const struct entry *e = channel_head(channel);
    size_t (*rule)(const void *, int, const void *, void *) = !r                       ? NULL
                                                              : e->kind == ENTRY_CRASH ? r->recovery
                                                                                       : r->reboot;
    if (!rule)
        return false;
    uint64_t hash = abstraction(rule, world.channel[channel].node, e->kind);
    uint64_t at = hash & (HISTORY - 1), tried = 0;
    for (; rules->history[at] && tried < HISTORY; at = (at + 1) & (HISTORY - 1), tried++)
        if (rules->history[at] == hash)
            return true;
    rules->history[at] = hash;
    return false;
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
