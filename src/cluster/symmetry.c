#include "cluster/symmetry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "base/mem.h"
#include "cluster/words.h"
#include "target/nodes/connections.h"
#include "target/nodes/world.h"

enum { HISTORY = 1 << 20, ABSTRACT = 128, SENT = 64, TOLD = 200 };

typedef size_t (*rule_fn)(const void *state, int peer, const void *peer_state, void *abstract);

struct tried {
    uint64_t key;    // what the rule abstracts; 0: none
    uint64_t effect; // what came of it, with an audit
    char *told;      // in words, with an audit
};

void symmetry_open(struct symmetry *s, bool audit)
{
    *s = (struct symmetry){.history = mem_reserve(HISTORY * sizeof(struct tried)), .audit = audit};
}

void symmetry_close(struct symmetry *s)
{
    for (size_t i = 0; s->audit && i < HISTORY; i++)
        free(s->history[i].told);
    mem_release(s->history, HISTORY * sizeof *s->history);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t hash_sorted(uint64_t *what, size_t count, uint64_t seed)
{
    qsort(what, count, sizeof *what, compare);
    return XXH3_64bits_withSeed(what, count * sizeof *what, seed);
}

static uint64_t abstract_of(rule_fn rule, int node, int peer)
{
    uint8_t abstract[ABSTRACT] = {0};
    size_t size = rule(world.report[node], peer, world.report[peer], abstract);
    return XXH3_64bits_withSeed(abstract, size < ABSTRACT ? size : ABSTRACT, size);
}

// Whether it is settled that the node crashes, or comes back, later on.
static bool has_fault_ahead(int node)
{
    const struct queue *q = &world.queue[world.fault_channel + (uint32_t)node];
    return q->count && q->stage == STAGE_EVENT;
}

// What recovery depends on: the abstractions of all nodes that are up, sorted, since who is who often does not matter; which
// of them the peer would reach; which are still to crash or to come back, since another crash may hide what this one leads
// to; and how much more may go wrong.
static uint64_t abstraction(rule_fn rule, int peer, unsigned kind)
{
    uint64_t each[MAX_NODES] = {0};
    size_t n = 0;
    for (int i = 0; i < world.options.nodes; i++) {
        bool up = node_local(i)->up, ahead = has_fault_ahead(i);
        if (i != peer && (up || ahead))
            each[n++] = (up ? abstract_of(rule, i, peer) : 0) * 8 + connection_reaches(peer, i) * 4 + up * 2 + ahead;
    }
    uint64_t left = XXH3_64bits_withSeed(world.counts.left, sizeof world.counts.left, kind);
    return hash_sorted(each, n, left) | 1;
}

// What entries from this one on hold, whoever they are for.
static uint64_t hash_sent(uint32_t from)
{
    uint64_t each[SENT] = {0};
    size_t n = 0;
    for (uint32_t i = from; i <= world.counts.entries && n < SENT; i++)
        if (world.entry[i].kind == ENTRY_MESSAGE)
            each[n++] = XXH3_64bits(world.data + world.entry[i].offset, world.entry[i].size);
    return hash_sorted(each, n, n);
}

// What a node does about a loss.
static void lose(int node, int peer)
{
    world_try_entry(link_channel(peer, node), &(struct entry){.kind = ENTRY_DOWN, .from = (uint8_t)peer});
}

// What a node does about what the peer said when it started: the entries from `first` on.
static void hear(int node, int peer, uint32_t first)
{
    uint32_t channel = link_channel(peer, node), index = world.queue[channel].first;
    for (uint32_t left = world.queue[channel].count; left; left--, index = world.entry[index].next)
        if (index >= first && world.failure == FAILURE_NONE)
            world_try_entry(channel, &world.entry[index]);
}

// What the others do about the crash or the reboot.
static uint64_t effect_of(rule_fn rule, uint32_t channel)
{
    int peer = world.channel[channel].node;
    bool is_reboot = channel_head(channel)->kind == ENTRY_REBOOT;
    size_t start = undo_mark(&world.undo), n = 0;
    uint32_t first = world.counts.entries + 1;
    uint64_t each[MAX_NODES] = {0};
    if (is_reboot)
        world_try(channel, 0);
    for (int i = 0; i < world.options.nodes && world.failure == FAILURE_NONE; i++) {
        if (i == peer || !node_local(i)->up)
            continue;
        size_t mark = undo_mark(&world.undo);
        uint32_t sent = world.counts.entries + 1;
        if (is_reboot)
            hear(i, peer, first);
        else
            lose(i, peer);
        each[n++] = hash_sent(sent) * 31 + abstract_of(rule, i, peer);
        world_back(mark);
    }
    uint64_t effect = world.failure == FAILURE_NONE ? hash_sorted(each, n, n) : 0; // a failure is found by itself
    world_back(start);
    return effect;
}

// Who is in which state.
static void tell(uint32_t channel, char *text, size_t room)
{
    int peer = world.channel[channel].node;
    size_t used = (size_t)snprintf(text, room, "%s of node %d with",
                                   channel_head(channel)->kind == ENTRY_CRASH ? "the crash" : "the reboot", peer);
    for (int i = 0; i < world.options.nodes && used < room; i++) {
        char state[160];
        words_of_state(i, state, sizeof state);
        if (i != peer && node_local(i)->up)
            used += (size_t)snprintf(text + used, room - used, " %d %s;", i, *state ? state : "up");
    }
    text[strlen(text) - 1] = 0;
}

static void remember(struct symmetry *s, struct tried *place, uint64_t key, rule_fn rule, uint32_t channel)
{
    *place = (struct tried){.key = key};
    if (!s->audit)
        return;
    place->effect = effect_of(rule, channel);
    place->told = malloc(TOLD);
    require(place->told);
    tell(channel, place->told, TOLD);
}

static void look_into(const struct tried *before, rule_fn rule, uint32_t channel, char *wrong, size_t room)
{
    char now[TOLD];
    uint64_t effect = effect_of(rule, channel);
    if (!effect || !before->effect || effect == before->effect)
        return;
    tell(channel, now, sizeof now);
    snprintf(wrong, room, "the rules call %s\n  a repetition of %s,\n  but the others do something else about it", now,
             before->told);
}

bool symmetry_repeats(struct symmetry *s, uint32_t channel, char *wrong, size_t room)
{
    const struct heddle_rules *r = world.library.protocol->rules;
    const struct entry *e = channel_head(channel);
    rule_fn rule = !r ? NULL : e->kind == ENTRY_CRASH ? r->recovery : r->reboot;
    if (!rule)
        return false;
    uint64_t key = abstraction(rule, world.channel[channel].node, e->kind);
    uint64_t at = key & (HISTORY - 1), tried = 0;
    for (; s->history[at].key && tried < HISTORY; at = (at + 1) & (HISTORY - 1), tried++) {
        if (s->history[at].key != key)
            continue;
        if (s->audit)
            look_into(&s->history[at], rule, channel, wrong, room);
        return true;
    }
    if (tried < HISTORY)
        remember(s, &s->history[at], key, rule, channel);
    return false;
}
