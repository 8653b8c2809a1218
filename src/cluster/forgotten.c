#include "cluster/forgotten.h"

#include <stdio.h>

#include "base/mem.h"
#include "cluster/words.h"
#include "target/nodes/connections.h"
#include "target/nodes/relevant.h"
#include "target/nodes/world.h"

enum { AT_FIRST = 1 << 12 };

// What is known of a state, or of an event in it.
struct known_event {
    uint64_t key; // 0: free
    uint64_t leads_to;
};

void forgotten_open(struct forgotten *g)
{
    *g = (struct forgotten){.room = AT_FIRST};
    if (!relevant_is_less())
        return;
    g->known = mem_reserve(g->room * sizeof *g->known);
    relevant_count_all(true);
}

void forgotten_close(struct forgotten *g)
{
    if (!g->known)
        return;
    mem_release(g->known, g->room * sizeof *g->known);
    relevant_count_all(false);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ b * 0x9e3779b97f4a7c15u) + 0x632be59bd9b4e019u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 27;
}

static struct known_event *place_of(const struct forgotten *g, uint64_t key)
{
    uint64_t at = key >> 5 & (g->room - 1);
    while (g->known[at].key && g->known[at].key != key)
        at = (at + 1) & (g->room - 1);
    return &g->known[at];
}

static void grow(struct forgotten *g)
{
    struct forgotten old = *g;
    g->room *= 2;
    g->known = mem_reserve(g->room * sizeof *g->known);
    for (uint64_t i = 0; i < old.room; i++)
        if (old.known[i].key)
            *place_of(g, old.known[i].key) = old.known[i];
    mem_release(old.known, old.room * sizeof *old.known);
}

// Whether that is what was known, or nothing was: then it is now.
static bool agrees(struct forgotten *g, uint64_t key, uint64_t leads_to)
{
    key += !key;
    struct known_event *place = place_of(g, key);
    if (place->key)
        return place->leads_to == leads_to;
    *place = (struct known_event){key, leads_to};
    if (++g->count > g->room / 2)
        grow(g);
    return true;
}

static bool can_happen(uint32_t channel)
{
    return channel_head(channel) && !connection_waits(channel) && !request_waits(channel);
}

// The same for an event of which only the place in the network differs.
static uint64_t name_of_event(uint32_t channel)
{
    return channel_is_bag(channel) ? queue_hash(channel) : mix(channel, entry_hash(channel));
}

static uint64_t result_of(uint32_t channel, uint32_t outcome)
{
    size_t mark = undo_mark(&world.undo);
    world_try(channel, outcome);
    uint64_t result = world.failure == FAILURE_NONE ? world_relevant_hash() : mix(1, world.failure);
    world_back(mark);
    return result;
}

static void accuse_event(uint32_t channel, char *wrong, size_t room)
{
    char event[160], state[160];
    int node = world.channel[channel].node;
    words_of_entry(&world.channel[channel], channel_head(channel), event, sizeof event);
    words_of_state(node, state, sizeof state);
    snprintf(
        wrong, room,
        "the protocol calls auxiliary, or forgets, something that matters: '%s' at node %d%s%s does not lead to the "
        "same in two states that differ in nothing else",
        event, node, *state ? " in state " : "", state);
}

// What each event that can happen leads to.
static uint64_t compare_events(struct forgotten *g, uint64_t state, char *wrong, size_t room)
{
    uint64_t compared = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        if (!can_happen(channel))
            continue;
        uint32_t outcomes = channel_outcomes(channel);
        for (uint32_t i = 0; i < outcomes && !*wrong; i++, compared++)
            if (!agrees(g, mix(mix(state, name_of_event(channel)), i), result_of(channel, i)))
                accuse_event(channel, wrong, room);
    }
    return compared;
}

// Which events can happen, and in how many ways.
static uint64_t sum_of_events(void)
{
    uint64_t sum = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (can_happen(channel))
            sum += mix(name_of_event(channel), channel_outcomes(channel));
    return sum;
}

// What `quiet` says in the end.
static uint64_t rest_of(uint32_t patience)
{
    size_t mark = undo_mark(&world.undo);
    world_settle(patience);
    uint64_t result = 1 + world.failure;
    world_back(mark);
    return result;
}

uint64_t forgotten_look(struct forgotten *g, uint32_t patience, char *wrong, size_t room)
{
    if (!g->known || *wrong || world.failure != FAILURE_NONE)
        return 0;
    uint64_t state = world_relevant_hash(), whole = world_whole_hash(), possible = sum_of_events();
    struct known_event *first = place_of(g, mix(state, 0));
    if (first->key && first->leads_to == whole)
        return 0;
    agrees(g, mix(state, 0), whole);
    if (!agrees(g, mix(state, 1), possible))
        snprintf(
            wrong, room,
            "the protocol calls auxiliary, or forgets, something that matters: in two states that differ in nothing "
            "else, not the same events can happen");
    uint64_t compared = 1 + compare_events(g, state, wrong, room);
    if (!possible && !*wrong && !agrees(g, mix(state, 2), rest_of(patience)))
        snprintf(
            wrong, room,
            "the protocol calls auxiliary, or forgets, something that matters: of two states that differ in nothing "
            "else, one comes to rest and the other does not");
    return compared + !possible;
}
