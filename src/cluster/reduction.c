#include "cluster/reduction.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cluster/rules.h"
#include "cluster/words.h"
#include "target/nodes/agreement.h"
#include "target/nodes/connections.h"
#include "target/nodes/observer.h"
#include "target/nodes/renaming.h"

enum { PAIRS = 1 << 20, MOST_COMBINED = 64 };

struct pair {
    uint64_t key;
    bool independent;
};

void reduction_open(struct reduction *r, const struct policy *policy, const struct state_keeping *keeping,
                    struct policy_counts *counts)
{
    *r = (struct reduction){.policy = *policy, .counts = counts};
    r->pairs = mem_reserve(PAIRS * sizeof *r->pairs);
    visited_open(&r->visited, keeping->memory / 2);
    symmetry_open(&r->symmetry, policy->audit);
    canonical_open(&r->canonical, keeping);
    if (policy->audit && policy_has_states(policy))
        forgotten_open(&r->forgotten);
}

void reduction_close(struct reduction *r)
{
    mem_release(r->pairs, PAIRS * sizeof *r->pairs);
    visited_close(&r->visited);
    symmetry_close(&r->symmetry);
    canonical_close(&r->canonical);
    forgotten_close(&r->forgotten);
}

// An event, with one of its outcomes.
struct outcome {
    uint32_t channel, number, of;
};

// Both events one after the other. False if something failed, or the second has not as many outcomes after the first.
static bool run_both(struct outcome one, struct outcome other, uint64_t *hash)
{
    size_t mark = undo_mark(&world.undo);
    world_try(one.channel, one.number);
    bool goes_on =
        world.failure == FAILURE_NONE && !request_waits(other.channel) && channel_outcomes(other.channel) == other.of;
    if (goes_on)
        world_try(other.channel, other.number);
    bool fine = goes_on && world.failure == FAILURE_NONE;
    *hash = world_hash();
    world_back(mark);
    return fine;
}

// Whether the order of two events does not matter, whatever their outcomes are.
static bool commute(uint32_t one, uint32_t other)
{
    uint32_t of_one = channel_outcomes(one), of_other = channel_outcomes(other);
    bool same = of_one * of_other <= MOST_COMBINED;
    for (uint32_t i = 0; i < of_one * of_other && same; i++) {
        struct outcome first = {one, i / of_other, of_one}, second = {other, i % of_other, of_other};
        uint64_t a, b;
        same = run_both(first, second, &a) && run_both(second, first, &b) && a == b;
    }
    return same;
}

// Crashes, reboots and the network of a node change what everything else at it does.
static bool is_of_node(uint32_t channel)
{
    enum channel_kind kind = world.channel[channel].kind;
    return kind != CHANNEL_FAULT && kind != CHANNEL_NET;
}

static uint64_t pair_key(uint32_t one, uint32_t other)
{
    uint64_t key = node_hash(world.channel[one].node) ^ (uint64_t)world.channel[one].node << 56;
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

static uint64_t blend(uint64_t key, uint64_t more)
{
    key = (key ^ more) * 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

// Everything on which it depends whether two events commute that somebody looks on at: the events and the states of their nodes, what all
// nodes report, what was seen so far, and what budgets are left for outcomes.
static uint64_t watched_key(uint32_t one, uint32_t other)
{
    uint64_t key = blend(pair_key(one, other), node_hash(world.channel[other].node));
    key = blend(blend(key, world_view_hash()), observer_hash());
    key = blend(blend(key, agreement_hash()), world.clients.count ? client_calls_hash(&world.clients) : 0);
    for (int fault = 0; fault < FAULTS; fault++)
        key = blend(key, world.counts.left[fault]);
    return key | 1;
}

// The same as commute, for events that somebody looks on at.
static bool commute_watched(struct reduction *r, uint32_t one, uint32_t other)
{
    if (world.library.asks_in_flight) // who looks on may look at the network, too
        return commute(one, other);
    uint64_t key = watched_key(one < other ? one : other, one < other ? other : one);
    struct pair *pair = &r->pairs[key >> 20 & (PAIRS - 1)];
    if (pair->key != key) {
        *pair = (struct pair){key, commute(one, other)};
        r->counts->compared++;
    }
    return pair->independent;
}

// Whether an outcome of the event tells the quorum tree something. That depends only on the event and the state of its node.
static bool tells_tree(struct reduction *r, uint32_t channel)
{
    uint64_t key = pair_key(channel, channel), told = agreement_told();
    struct pair *pair = &r->pairs[key >> 20 & (PAIRS - 1)];
    if (pair->key == key)
        return !pair->independent;
    if (request_waits(channel)) // what it would do is not known
        return true;
    uint32_t outcomes = channel_outcomes(channel);
    for (uint32_t i = 0; i < outcomes; i++) {
        size_t mark = undo_mark(&world.undo);
        world_try(channel, i);
        world_back(mark);
    }
    *pair = (struct pair){key, told == agreement_told()};
    return !pair->independent;
}

// Whether somebody who sees both nodes may tell which of the two events was first.
static bool are_watched(struct reduction *r, uint32_t one, uint32_t other)
{
    const struct heddle_protocol *p = world.library.protocol;
    return p->observe || (agreement_is_watched() && tells_tree(r, one) && tells_tree(r, other));
}

bool reduction_independent(struct reduction *r, uint32_t actor, uint32_t other_actor)
{
    uint32_t one = world.channel_of[actor], other = world.channel_of[other_actor];
    if (r->policy.states && !r->policy.automatic && !policy_has_rules(&r->policy))
        return false;
    const struct heddle_protocol *p = world.library.protocol;
    if (world.channel[one].node != world.channel[other].node) // unless clients or others see which was first
        return !(p->model || are_watched(r, one, other)) || commute_watched(r, one, other);
    if (!is_of_node(one) || !is_of_node(other))
        return false;
    if (are_watched(r, one, other) &&
        !commute_watched(r, one, other)) // what is made of them depends on more than their node
        return false;
    bool yes = r->policy.automatic ? found_independent(r, one, other)
                                   : rules_independent(&r->policy, one, other) && !connection_orders(one, other);
    r->counts->independent += yes;
    if (yes && r->policy.audit && !r->policy.automatic) {
        r->counts->audited++;
        if (!commute(one, other))
            rules_accuse(one, other, r->counts->wrong, sizeof r->counts->wrong);
    }
    return yes;
}

bool reduction_symmetric(struct reduction *r, uint32_t actor, const struct actor_set *sleep)
{
    uint32_t channel = world.channel_of[actor];
    const struct entry *e = channel_head(channel);
    if (!((r->policy.crs && e->kind == ENTRY_CRASH) || (r->policy.rss && e->kind == ENTRY_REBOOT)))
        return false;
    bool yes = symmetry_repeats(&r->symmetry, channel, sleep, r->counts->suspect, sizeof r->counts->suspect);
    r->counts->skipped += yes;
    r->counts->audited += yes && r->policy.audit;
    return yes;
}

// Whether the last event was a crash.
static bool has_just_crashed(void)
{
    uint32_t at = world.exec.count;
    while (at > 0 && world.exec.events[at - 1].kind == OP_CHOOSE)
        at--;
    if (!at)
        return false;
    const struct channel *c = &world.channel[world.channel_of[world.exec.events[at - 1].actor]];
    return c->kind == CHANNEL_FAULT && !node_local(c->node)->up;
}

// Says that an event does something else in a state with other numbers of nodes.
static void accuse_renaming(const int *to, uint32_t channel, char *text, size_t room)
{
    char event[160], state[160];
    int node = world.channel[channel].node;
    words_of_entry(&world.channel[channel], channel_head(channel), event, sizeof event);
    words_of_state(node, state, sizeof state);
    snprintf(
        text, room,
        "the protocol says that nodes may change places, but '%s' at node %d%s%s is not the same if that is node %d",
        event, node, *state ? " in state " : "", state, to[node]);
}

// Whether it is the same to rename and to let the event happen with this outcome, in whichever order.
static bool is_outcome_renamed(const int *to, uint32_t channel, uint32_t outcome)
{
    uint64_t hash[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        size_t mark = undo_mark(&world.undo);
        if (i)
            renaming_do(to);
        world_try(i ? renaming_channel(to, channel) : channel, outcome);
        if (!i && world.failure == FAILURE_NONE)
            renaming_do(to);
        hash[i] = world.failure == FAILURE_NONE ? world_hash() : 1;
        world_back(mark);
    }
    return hash[0] == hash[1];
}

static bool is_event_renamed(const int *to, uint32_t channel)
{
    uint32_t outcomes = channel_outcomes(channel);
    bool same = true;
    for (uint32_t i = 0; i < outcomes && same; i++)
        same = is_outcome_renamed(to, channel, i);
    return same;
}

static void audit_renaming(struct reduction *r, const int *to)
{
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        if (!channel_head(channel) || channel_chooses(channel) || connection_waits(channel))
            continue;
        r->counts->audited++;
        if (!is_event_renamed(to, channel))
            accuse_renaming(to, channel, r->counts->wrong, sizeof r->counts->wrong);
    }
}

static bool has_state(struct reduction *r, uint64_t number, const struct actor_set *sleep)
{
    return r->shared ? shared_states_has(r->shared, number, sleep) : visited_has(&r->visited, number, sleep);
}

static enum visit visit_state(struct reduction *r, uint64_t number, const struct actor_set *sleep,
                              struct actor_set *before, uint16_t *rank)
{
    return r->shared ? shared_states_visit(r->shared, number, sleep, before, rank)
                     : visited_visit(&r->visited, number, sleep, before, rank);
}

// Whether the state was come to with other numbers.
static bool was_here_renamed(struct reduction *r, const struct actor_set *sleep)
{
    struct canonical *c = &r->canonical;
    bool yes = false;
    for (uint32_t i = 0; i < c->renamings && !yes; i++) {
        uint64_t number;
        struct actor_set spelled;
        yes = canonical_renamed(c, i, sleep, &number, &spelled) && has_state(r, number, &spelled);
    }
    r->counts->renamed += yes;
    return yes;
}

static void audit_renamings(struct reduction *r)
{
    for (uint32_t i = 0; i < r->canonical.renamings; i++)
        if (renaming_applies(r->canonical.renaming[i]))
            audit_renaming(r, r->canonical.renaming[i]);
}

static void count_states(struct reduction *r)
{
    struct policy_counts *counts = r->counts;
    const struct visited *v = &r->visited;
    counts->states = v->count;
    counts->state_bytes = visited_bytes(v) + (r->canonical.is_exact ? exact_states_bytes(&r->canonical.exact) : 0);
    counts->disk_bytes =
        visited_runs_disk(&v->runs) + (r->canonical.is_exact ? exact_states_disk(&r->canonical.exact) : 0);
    counts->state_reads = v->runs.reads;
    if (v->runs.wrong[0])
        memcpy(counts->no_disk, v->runs.wrong, sizeof counts->no_disk);
}

void reduction_audit_state(struct reduction *r, uint32_t patience)
{
    r->counts->audited += forgotten_look(&r->forgotten, patience, r->counts->wrong, sizeof r->counts->wrong);
}

// Of a state that is visited again: only what slept before and is awake now is left to do, and only what slept both times sleeps.
static void leave_what_slept(struct reduction *r, const struct actor_set *before, struct actor_set *untried,
                             struct actor_set *sleep)
{
    uint16_t place[MAX_ACTORS];
    struct actor_set now = *sleep;
    canonical_places(&r->canonical, &now, place);
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        if (set_has(before, place[actor]))
            continue;
        set_drop(untried, actor);
        set_drop(sleep, actor);
    }
}

bool reduction_was_here(struct reduction *r, struct actor_set *untried, struct actor_set *sleep,
                        struct circles *circles)
{
    if (!policy_has_states(&r->policy))
        return false;
    struct canonical *c = &r->canonical;
    bool may_differ = c->renamings && (c->alike || has_just_crashed());
    if (may_differ && r->policy.audit)
        audit_renamings(r);
    if (may_differ && !c->alike && was_here_renamed(r, sleep))
        return true;
    uint64_t number;
    struct actor_set spelled, before;
    bool renamed = canonical_state(c, sleep, &number, &spelled);
    uint16_t rank = circles ? circles_next_rank(circles) : 0;
    enum visit visit = visit_state(r, number, &spelled, &before, &rank);
    if (circles && circles_come_to(circles, number, rank, visit == VISIT_NEW))
        r->counts->circles = true;
    r->counts->seen += visit != VISIT_NEW;
    r->counts->renamed += visit == VISIT_COVERED && renamed;
    if (visit == VISIT_NEW && !r->shared)
        count_states(r);
    if (visit == VISIT_AGAIN)
        leave_what_slept(r, &before, untried, sleep);
    return visit == VISIT_COVERED;
}
