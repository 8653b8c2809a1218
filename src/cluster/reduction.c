#include "cluster/reduction.h"

#include "base/mem.h"
#include "cluster/rules.h"
#include "target/nodes/world.h"

enum { PAIRS = 1 << 20 };

struct pair {
    uint64_t key;
    bool independent;
};

void reduction_open(struct reduction *r, const struct policy *policy, struct policy_counts *counts)
{
    *r = (struct reduction){.policy = *policy, .counts = counts};
    r->pairs = mem_reserve(PAIRS * sizeof *r->pairs);
    visited_open(&r->visited);
    symmetry_open(&r->symmetry, policy->audit);
}

void reduction_close(struct reduction *r)
{
    mem_release(r->pairs, PAIRS * sizeof *r->pairs);
    visited_close(&r->visited);
    symmetry_close(&r->symmetry);
}

// Both events one after the other, with their first outcomes. False if something failed.
static bool run_both(uint32_t one, uint32_t other, uint64_t *hash)
{
    size_t mark = undo_mark(&world.undo);
    world_try(one, 0);
    if (world.failure == FAILURE_NONE)
        world_try(other, 0);
    bool fine = world.failure == FAILURE_NONE;
    *hash = world_hash();
    world_back(mark);
    return fine;
}

static bool commute(uint32_t one, uint32_t other)
{
    uint64_t a, b;
    return run_both(one, other, &a) && run_both(other, one, &b) && a == b;
}

// Crashes, reboots and the network of a node change what everything else at it does.
static bool is_of_node(uint32_t channel)
{
    enum channel_kind kind = world.channel[channel].kind;
    return kind != CHANNEL_FAULT && kind != CHANNEL_NET;
}

static uint64_t pair_key(uint32_t one, uint32_t other)
{
    uint64_t key = node_local(world.channel[one].node)->hash ^ (uint64_t)world.channel[one].node << 56;
    key = (key ^ entry_hash(one) ^ (uint64_t)one << 32) * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 29 ^ entry_hash(other) ^ (uint64_t)other << 32) * 0xbf58476d1ce4e5b9u;
    return (key ^ key >> 31) | 1;
}

static bool found_independent(struct reduction *r, uint32_t one, uint32_t other)
{
    uint64_t key = pair_key(one < other ? one : other, one < other ? other : one);
    struct pair *pair = &r->pairs[key >> 20 & (PAIRS - 1)];
    if (pair->key != key) {
        *pair = (struct pair){key, commute(one, other)};
        r->counts->compared++;
    }
    return pair->independent;
}

bool reduction_independent(struct reduction *r, uint32_t actor, uint32_t other_actor)
{
    uint32_t one = world.channel_of[actor], other = world.channel_of[other_actor];
    if (world.channel[one].node != world.channel[other].node)
        return true;
    if (!is_of_node(one) || !is_of_node(other))
        return false;
    bool yes = r->policy.automatic ? found_independent(r, one, other) : rules_independent(&r->policy, one, other);
    r->counts->independent += yes;
    if (yes && r->policy.audit && !r->policy.automatic) {
        r->counts->audited++;
        if (!commute(one, other))
            rules_accuse(one, other, r->counts->wrong, sizeof r->counts->wrong);
    }
    return yes;
}

bool reduction_symmetric(struct reduction *r, uint32_t actor)
{
    uint32_t channel = world.channel_of[actor];
    const struct entry *e = channel_head(channel);
    if (r->policy.automatic ||
        !((r->policy.crs && e->kind == ENTRY_CRASH) || (r->policy.rss && e->kind == ENTRY_REBOOT)))
        return false;
    bool yes = symmetry_repeats(&r->symmetry, channel, r->counts->wrong, sizeof r->counts->wrong);
    r->counts->skipped += yes;
    r->counts->audited += yes && r->policy.audit;
    return yes;
}

bool reduction_was_here(struct reduction *r, const struct actor_set *sleep)
{
    if (!r->policy.automatic)
        return false;
    uint64_t states = r->visited.count;
    bool yes = visited_before(&r->visited, world_hash(), sleep);
    r->counts->states = r->visited.count;
    r->counts->seen += r->visited.count == states;
    return yes;
}
