#include "target/nodes/draws.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/mem.h"
#include "target/nodes/world.h"

enum { KNOWN = 1 << 16, MOST_DRAWS = MOST_OUTCOMES };

// A way through the draws of an event: what each gives; those behind give 0.
struct way {
    uint8_t value[MOST_DRAWS];
    uint32_t length;
};

struct known {
    uint64_t key;
    uint32_t outcomes;
    bool too_many;
    uint32_t stride; // bytes of each way; 0: the event has one outcome
    uint8_t *ways;
};

static struct {
    struct known *known;
    struct way way;            // to be taken
    uint8_t of[MOST_DRAWS];    // what was drawn in the event under way: one of how many …
    uint8_t value[MOST_DRAWS]; // … and which
    uint32_t taken;
    bool by_way;   // an event is under way and draws as `way` says
    bool is_trial; // its outcomes are being counted
} draws;

bool draws_are_tried(void)
{
    return world.library.asks_choice || (world.library.asks_chance && world.options.draws > 1);
}

void draws_open(void)
{
    draws.known = mem_reserve(KNOWN * sizeof *draws.known);
    draws.by_way = draws.is_trial = false;
}

void draws_close(void)
{
    for (uint32_t i = 0; i < KNOWN; i++)
        free(draws.known[i].ways);
    mem_release(draws.known, KNOWN * sizeof *draws.known);
    draws.known = NULL;
}

// Runs the event on the way at hand, and takes it back.
static void try_way(uint32_t channel)
{
    const struct world_observer *observer = world.observer;
    size_t mark = undo_mark(&world.undo);
    draws.taken = 0;
    draws.by_way = draws.is_trial = true;
    world.observer = NULL;
    world_try(channel, 0);
    world.observer = observer;
    draws.by_way = draws.is_trial = false;
    world_back(mark);
}

// Makes the next way of what was drawn on this one: the last draw that has another value gives it. False: there is none.
static bool next_way(void)
{
    uint32_t last = draws.taken;
    while (last && draws.value[last - 1] + 1u == draws.of[last - 1])
        last--;
    if (!last)
        return false;
    memcpy(draws.way.value, draws.value, last);
    draws.way.value[last - 1]++;
    draws.way.length = last;
    return true;
}

static void count_outcomes(uint32_t channel, struct known *k)
{
    static struct way ways[MOST_OUTCOMES];
    bool more = true;
    k->outcomes = k->stride = 0;
    draws.way.length = 0;
    while (more && k->outcomes < MOST_OUTCOMES) {
        try_way(channel);
        struct way *way = &ways[k->outcomes++];
        memcpy(way->value, draws.value, draws.taken);
        way->length = draws.taken;
        if (way->length > k->stride)
            k->stride = way->length;
        more = next_way();
    }
    k->too_many = more;
    free(k->ways);
    k->ways = NULL;
    if (!k->stride)
        return;
    k->ways = alloc_zeroed(k->outcomes, k->stride + 1u);
    for (uint32_t i = 0; i < k->outcomes; i++) {
        k->ways[i * (k->stride + 1)] = (uint8_t)ways[i].length;
        memcpy(k->ways + i * (k->stride + 1) + 1, ways[i].value, ways[i].length);
    }
}

static const struct known *look_up(uint32_t channel)
{
    uint64_t key = node_hash(world.channel[channel].node) ^ (uint64_t)channel << 40;
    key = (key ^ key >> 29 ^ entry_hash(channel)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 31) | 1;
    struct known *k = &draws.known[key >> 20 & (KNOWN - 1)];
    if (k->key != key) {
        k->key = key;
        count_outcomes(channel, k);
    }
    return k;
}

uint32_t draws_outcomes(uint32_t channel)
{
    return draws.is_trial ? 1 : look_up(channel)->outcomes;
}

void draws_begin(uint32_t channel, uint32_t outcome)
{
    if (draws.is_trial || world.settling || !draws_are_tried())
        return;
    const struct known *k = look_up(channel);
    draws.taken = draws.way.length = 0;
    draws.by_way = true;
    if (k->too_many)
        world_fail(FAILURE_ROOM, world.channel[channel].node, "a node drew in more than %d ways in one event",
                   MOST_OUTCOMES);
    if (!k->stride || outcome >= k->outcomes)
        return;
    const uint8_t *way = k->ways + outcome * (k->stride + 1);
    draws.way.length = way[0];
    memcpy(draws.way.value, way + 1, way[0]);
}

void draws_end(int node)
{
    if (draws.is_trial || !draws.by_way)
        return;
    draws.by_way = false;
    if (draws.taken != draws.way.length && world.failure == FAILURE_NONE)
        world_fail(FAILURE_ROOM, node, "a node does not always draw the same after the same events");
}

void draws_seed(int node)
{
    node_local(node)->random = (world.options.seed * MAX_NODES + (uint64_t)node) * 0xd1342543de82ef95u;
}

long draws_seeded(void)
{
    struct node_local *local = node_local(world.self);
    uint64_t z = local->random += 0x9e3779b97f4a7c15u; // splitmix64
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (long)((z ^ (z >> 31)) & RAND_MAX);
}

// The number stands in the middle of its part of rand's range, where its remainder by anything up to `draws` is that of `number`.
long draws_rand_value(uint32_t number)
{
    static const uint32_t multiples[MOST_RAND + 1] = {1,    1,    2,     6,     12,     60,     60,     420,   840,
                                                      2520, 2520, 27720, 27720, 360360, 360360, 360360, 720720};
    uint64_t parts = world.options.draws, part = ((uint64_t)RAND_MAX + 1) / parts;
    uint64_t middle = number * part + part / 2;
    return (long)(middle - middle % multiples[parts] + number);
}

static uint32_t take_by_way(uint32_t n)
{
    if (n > MOST_OUTCOMES || draws.taken == MOST_DRAWS) {
        world_fail(FAILURE_ROOM, world.self, "a node drew in more than %d ways in one event", MOST_OUTCOMES);
        return 0;
    }
    uint32_t value = draws.taken < draws.way.length ? draws.way.value[draws.taken] : 0;
    if (value >= n) {
        world_fail(FAILURE_ROOM, world.self, "a node does not always draw the same after the same events");
        return 0;
    }
    draws.of[draws.taken] = (uint8_t)n;
    draws.value[draws.taken++] = (uint8_t)value;
    return value;
}

uint32_t draws_take(uint32_t n, bool is_rand)
{
    if (world.self < 0 || n < 2)
        return 0;
    uint32_t value = draws.by_way ? take_by_way(n) : (uint32_t)(draws_seeded() % n);
    if (world.observer && world.observer->drew)
        world.observer->drew(world.observer->context, world.self, value, n, is_rand);
    return value;
}

int heddle_choose_at(int n)
{
    return (int)draws_take(n < 2 ? 1 : (uint32_t)n, false);
}
