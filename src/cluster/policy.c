// Depth-first search with sleep sets (Godefroid). An event sleeps at a state if everything below it there has been
// covered from an earlier choice; it goes on sleeping past events that are independent of it *in the state where they
// happen*, so that what two messages do to each other may change with the state. Sleep sets alone leave out orders, never
// states: every global state that can be reached is come to, and `check` is asked in it.
//
// Choices (does the message get lost?) are independent of everything and taken at once, the fault first: bugs are where
// things go wrong.
//
// With `automatic`, two events of one node are independent in a state if both orders lead to the same global state,
// messages in flight included; what was found for a state of the node and two events holds wherever they meet again. And a
// state that was come to before, with no more asleep, is left: everything below it has been covered. States are known by
// 64 bits of hash.
#include "cluster/policy.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cluster/rules.h"
#include "target/nodes/world.h"

enum { SET_WORDS = MAX_ACTORS / 64, PAIRS = 1 << 20, STATES_AT_FIRST = 1 << 12 };

struct actor_set {
    uint64_t word[SET_WORDS];
};

struct level {
    uint16_t actor, alternative; // the step taken at present
    bool chooses;
    struct actor_set sleep; // on arrival, and those that have been tried
    struct actor_set todo;  // not tried yet
};

// A state that was come to and what slept there.
struct visited {
    uint64_t hash;
    struct actor_set sleep;
};

struct search_by_policy {
    struct strategy s;
    struct policy policy;
    struct policy_counts *counts;
    uint32_t length; // levels whose step is decided
    struct level *levels;
    struct pair {
        uint64_t key;
        bool independent;
    } * pairs;
    struct visited *visited; // a table of `room` places, at most half of them taken
    uint64_t room;
    struct rules rules;
};

static struct search_by_policy *self(struct strategy *s)
{
    return (struct search_by_policy *)s;
}

static void put(struct actor_set *set, uint32_t actor)
{
    set->word[actor / 64] |= 1ull << (actor % 64);
}

static void drop(struct actor_set *set, uint32_t actor)
{
    set->word[actor / 64] &= ~(1ull << (actor % 64));
}

static bool has(const struct actor_set *set, uint32_t actor)
{
    return set->word[actor / 64] >> (actor % 64) & 1;
}

static bool is_subset(const struct actor_set *a, const struct actor_set *b)
{
    uint64_t beyond = 0;
    for (int i = 0; i < SET_WORDS; i++)
        beyond |= a->word[i] & ~b->word[i];
    return !beyond;
}

static int first_of(const struct actor_set *set)
{
    for (int i = 0; i < SET_WORDS; i++)
        if (set->word[i])
            return i * 64 + __builtin_ctzll(set->word[i]);
    return -1;
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

static bool found_independent(struct search_by_policy *p, uint32_t one, uint32_t other)
{
    uint64_t key = pair_key(one < other ? one : other, one < other ? other : one);
    struct pair *pair = &p->pairs[key >> 20 & (PAIRS - 1)];
    if (pair->key != key) {
        *pair = (struct pair){key, commute(one, other)};
        p->counts->compared++;
    }
    return pair->independent;
}

// Whether the next steps of two actors are independent in the state at hand. Both are events, not choices.
static bool independent(struct search_by_policy *p, uint32_t actor, uint32_t other_actor)
{
    uint32_t one = world.channel_of[actor], other = world.channel_of[other_actor];
    if (world.channel[one].node != world.channel[other].node)
        return true;
    if (!is_of_node(one) || !is_of_node(other))
        return false;
    bool yes = p->policy.automatic ? found_independent(p, one, other) : rules_independent(&p->rules, one, other);
    p->counts->independent += yes;
    if (yes && p->policy.audit && !p->policy.automatic) {
        p->counts->audited++;
        if (!commute(one, other))
            rules_accuse(one, other, p->counts->wrong, sizeof p->counts->wrong);
    }
    return yes;
}

// Where the state is in the table, or where it would be.
static struct visited *place_of(const struct search_by_policy *p, uint64_t hash)
{
    uint64_t at = hash >> 7 & (p->room - 1);
    while (p->visited[at].hash && p->visited[at].hash != hash)
        at = (at + 1) & (p->room - 1);
    return &p->visited[at];
}

static void grow(struct search_by_policy *p)
{
    struct visited *old = p->visited;
    uint64_t room = p->room;
    p->room *= 2;
    p->visited = mem_reserve(p->room * sizeof *p->visited);
    for (uint64_t i = 0; i < room; i++)
        if (old[i].hash)
            *place_of(p, old[i].hash) = old[i];
    mem_release(old, room * sizeof *old);
}

// True if the state was come to before with no more asleep.
static bool was_here(struct search_by_policy *p, const struct actor_set *sleep)
{
    uint64_t hash = world_hash();
    hash += !hash;
    struct visited *v = place_of(p, hash);
    if (!v->hash) {
        *v = (struct visited){hash, *sleep};
        if (++p->counts->states > p->room / 2)
            grow(p);
        return false;
    }
    p->counts->seen++;
    if (is_subset(&v->sleep, sleep))
        return true;
    for (int i = 0; i < SET_WORDS; i++)
        v->sleep.word[i] &= sleep->word[i];
    return false;
}

// What there is to try at the state at hand. False: nothing.
static bool look_at(struct search_by_policy *p, uint32_t at)
{
    struct level *level = &p->levels[at];
    memset(&level->todo, 0, sizeof level->todo);
    level->chooses = false;
    for (uint32_t actor = 0; actor < p->s.exec->known; actor++) {
        if (!can_run(&p->s, actor))
            continue;
        if (p->s.exec->actors[actor].pending.kind == OP_CHOOSE) {
            memset(&level->todo, 0, sizeof level->todo);
            put(&level->todo, actor);
            level->chooses = true;
            return true;
        }
        put(&level->todo, actor);
    }
    if (p->policy.automatic && first_of(&level->todo) >= 0 && was_here(p, &level->sleep)) {
        p->s.redundant++;
        return false;
    }
    bool some = first_of(&level->todo) >= 0;
    for (int i = 0; i < SET_WORDS; i++)
        level->todo.word[i] &= ~level->sleep.word[i];
    if (some && first_of(&level->todo) < 0)
        p->s.redundant++;
    return first_of(&level->todo) >= 0;
}

// What sleeps after the step that the level takes.
static void pass_sleep(struct search_by_policy *p, uint32_t at)
{
    struct level *level = &p->levels[at], *next = &p->levels[at + 1];
    memset(&next->sleep, 0, sizeof next->sleep);
    for (uint32_t actor = 0; actor < p->s.exec->known; actor++)
        if (has(&level->sleep, actor) && actor != level->actor &&
            (level->chooses || independent(p, actor, level->actor)))
            put(&next->sleep, actor);
}

// Whether the rules call the crash or the reboot that was chosen a repetition.
static bool is_symmetric(struct search_by_policy *p, uint32_t actor)
{
    uint32_t channel = world.channel_of[actor];
    const struct entry *e = channel_head(channel);
    if (p->policy.automatic ||
        !((p->policy.crs && e->kind == ENTRY_CRASH) || (p->policy.rss && e->kind == ENTRY_REBOOT)))
        return false;
    bool yes = rules_symmetric(&p->rules, channel);
    p->counts->skipped += yes;
    return yes;
}

static bool policy_pick(struct strategy *s, struct step *next)
{
    struct search_by_policy *p = self(s);
    uint32_t at = s->exec->count;
    struct level *level = &p->levels[at];
    if (at >= p->length) {
        if (!look_at(p, at))
            return false;
        int actor;
        while ((actor = first_of(&level->todo)) >= 0 && !level->chooses && is_symmetric(p, (uint32_t)actor))
            drop(&level->todo, (uint32_t)actor);
        if (actor < 0)
            return false;
        level->actor = (uint16_t)actor;
        level->alternative = level->chooses ? (uint16_t)(s->exec->actors[actor].pending.alternatives - 1) : 0;
        drop(&level->todo, (uint32_t)actor);
        p->length = at + 1;
    }
    pass_sleep(p, at);
    *next = (struct step){level->actor, level->alternative};
    return true;
}

// Takes the next step that is to be tried at a level, the target standing there.
static bool advance(struct search_by_policy *p, uint32_t at)
{
    struct level *level = &p->levels[at];
    if (level->chooses && level->alternative > 0) {
        level->alternative--;
        return true;
    }
    if (!level->chooses && level->alternative + 1u < p->s.exec->events[at].alternatives) {
        level->alternative++;
        return true;
    }
    if (!level->chooses)
        put(&level->sleep, level->actor);
    int actor = first_of(&level->todo);
    if (actor < 0)
        return false;
    p->s.target->restart(p->s.target, at);
    while (is_symmetric(p, (uint32_t)actor)) {
        drop(&level->todo, (uint32_t)actor);
        if ((actor = first_of(&level->todo)) < 0)
            return false;
    }
    level->actor = (uint16_t)actor;
    level->alternative = 0;
    drop(&level->todo, (uint32_t)actor);
    return true;
}

static bool policy_next(struct strategy *s, uint32_t *depth)
{
    struct search_by_policy *p = self(s);
    for (uint32_t at = s->exec->count; at-- > 0;) {
        if (advance(p, at)) {
            p->length = at + 1;
            *depth = at;
            return true;
        }
    }
    return false;
}

static void policy_free(struct strategy *s)
{
    struct search_by_policy *p = self(s);
    mem_release(p->levels, (s->exec->limit + 2) * sizeof *p->levels);
    mem_release(p->pairs, PAIRS * sizeof *p->pairs);
    mem_release(p->visited, p->room * sizeof *p->visited);
    rules_close(&p->rules);
    mem_release(p, sizeof *p);
}

struct strategy *policy_new(struct target *target, const struct policy *policy, struct policy_counts *counts)
{
    struct search_by_policy *p = mem_reserve(sizeof *p);
    p->s = (struct strategy){.name = "policy",
                             .target = target,
                             .exec = target->exec,
                             .pick = policy_pick,
                             .next = policy_next,
                             .free = policy_free};
    p->policy = *policy;
    p->counts = counts;
    p->levels = mem_reserve((target->exec->limit + 2) * sizeof *p->levels);
    p->pairs = mem_reserve(PAIRS * sizeof *p->pairs);
    p->room = STATES_AT_FIRST;
    p->visited = mem_reserve(p->room * sizeof *p->visited);
    rules_open(&p->rules, policy);
    return &p->s;
}
