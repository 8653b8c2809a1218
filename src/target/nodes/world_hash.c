// The state of the world as a number.
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "target/nodes/agreement.h"
#include "target/nodes/connections.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"
#include "target/nodes/renaming.h"
#include "target/nodes/world.h"

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15u)) + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t seed_of(const struct entry *e, int from)
{
    return (uint64_t)e->cut_off << 16 | (uint64_t)e->kind << 8 | (uint64_t)from;
}

static uint64_t contents_hash(struct entry *e)
{
    if (!e->hash)
        e->hash = XXH3_64bits_withSeed(world.data + e->offset, e->size, seed_of(e, e->from));
    return e->hash;
}

// The same with other numbers of nodes.
static uint64_t contents_hash_renamed(const struct entry *e, const int *to)
{
    const struct heddle_renaming *rules = world.library.protocol->renaming;
    static uint8_t renamed[MAX_MESSAGE];
    const uint8_t *data = world.data + e->offset;
    if (e->size && rules->message) {
        memcpy(renamed, data, e->size);
        rules->message(renamed, e->size, to);
        data = renamed;
    }
    return XXH3_64bits_withSeed(data, e->size, seed_of(e, to[e->from]));
}

// Of a time at which a timer was set it matters only whether it still counts.
static uint64_t hash_of(const struct channel *c, struct entry *e, const int *to)
{
    if (e->kind != ENTRY_TIMER) {
        bool renamed = to && c->kind != CHANNEL_REQUEST; // entries of that name the request
        return (renamed ? contents_hash_renamed(e, to) : contents_hash(e)) +
               connection_age(c->node, e) * 0x9e3779b97f4a7c15u;
    }
    const struct node_local *local = node_local(c->node);
    return e->kind * 2u + (local->set[c->number] && local->generation[c->number] == e->generation);
}

uint64_t entry_hash(uint32_t channel)
{
    return hash_of(&world.channel[channel], channel_head(channel), NULL);
}

// Messages that may come in any order are a bag: which of them was sent first does not matter.
static uint64_t bag_hash(uint32_t channel)
{
    const struct queue *q = &world.queue[channel];
    const struct channel *c = &world.channel[channel];
    uint64_t sum = 0, stage = (uint64_t)q->stage * 2 + q->again;
    uint32_t index = q->first;
    for (uint32_t i = 0; i < q->count; i++, index = world.entry[index].next, stage = 0)
        sum += mix(mix(link_channel(c->number, c->node), stage), hash_of(c, &world.entry[index], NULL));
    return sum;
}

static uint64_t hash_queue(uint32_t channel, const int *to)
{
    const struct queue *q = &world.queue[channel];
    if (channel_is_bag(channel))
        return bag_hash(channel);
    uint64_t hash = mix(to ? renaming_channel(to, channel) : channel, (uint64_t)q->stage * 2 + q->again);
    uint32_t index = q->first;
    for (uint32_t i = 0; i < q->count; i++, index = world.entry[index].next)
        hash = mix(hash, hash_of(&world.channel[channel], &world.entry[index], to));
    return hash;
}

uint64_t queue_hash(uint32_t channel)
{
    return hash_queue(channel, NULL);
}

uint64_t world_sum(const uint64_t *nodes, const int *to)
{
    uint64_t sum = 0;
    for (int i = 0; i < world.options.nodes; i++)
        sum = mix(sum, nodes[i]);
    for (uint32_t fault = 0; fault < FAULTS; fault++)
        sum = mix(sum, world.counts.left[fault]);
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (world.queue[channel].count)
            sum += hash_queue(channel, to);
    if (world.clients.count)
        sum += client_calls_hash(&world.clients);
    return sum + (to ? observer_hash_renamed(to) : observer_hash()) + agreement_hash();
}

static uint64_t sum_up(bool whole)
{
    uint64_t nodes[MAX_NODES];
    for (int i = 0; i < world.options.nodes; i++)
        nodes[i] = whole ? node_hash(i) : relevant_hash(i);
    return world_sum(nodes, NULL);
}

uint64_t world_hash(void)
{
    return sum_up(relevant_counts_all());
}

uint64_t world_relevant_hash(void)
{
    return sum_up(false);
}

uint64_t world_whole_hash(void)
{
    return sum_up(true);
}

uint64_t world_view_hash(void)
{
    uint64_t sum = 0;
    for (int i = 0; i < world.options.nodes; i++)
        sum = XXH3_64bits_withSeed(world.report[i], world.library.protocol->state_size, mix(sum, node_local(i)->up));
    return sum;
}

uint64_t world_report_hash(int node)
{
    return XXH3_64bits_withSeed(world.report[node], world.library.protocol->state_size, node_local(node)->up);
}
