#include "target/nodes/renaming.h"

#include <string.h>

#include "base/mem.h"
#include "target/nodes/agreement.h"
#include "target/nodes/connections.h"
#include "target/nodes/node_events.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"

static const struct heddle_renaming *rules(void)
{
    return world.library.protocol->renaming;
}

static bool is_movable(int node)
{
    return rules()->nodes >> node & 1;
}

// Heap's algorithm would not keep the order; this goes through them like numbers, which a reader can follow.
static void permute(int *to, bool *taken, int node, int all[][MAX_NODES], uint32_t *count)
{
    int nodes = world.options.nodes;
    if (node == nodes) {
        bool moves = false;
        for (int i = 0; i < nodes; i++)
            moves |= to[i] != i;
        if (moves && *count < MOST_RENAMINGS)
            memcpy(all[(*count)++], to, sizeof(int) * MAX_NODES);
        return;
    }
    for (int place = 0; place < nodes; place++) {
        if (taken[place] || (place != node && (!is_movable(node) || !is_movable(place))))
            continue;
        to[node] = place;
        taken[place] = true;
        permute(to, taken, node + 1, all, count);
        taken[place] = false;
    }
}

uint32_t renaming_all(int all[][MAX_NODES])
{
    int to[MAX_NODES] = {0};
    bool taken[MAX_NODES] = {false};
    uint32_t count = 0;
    if (rules() && world.options.order != ORDER_ANY && observer_can_rename() &&
        (rules()->tree || !agreement_is_watched()))
        permute(to, taken, 0, all, &count);
    return count;
}

bool renaming_applies(const int *to)
{
    for (uint32_t channel = world.request_channel; channel < world.fault_channel; channel++)
        if (world.queue[channel].count && to[world.channel[channel].node] != world.channel[channel].node)
            return false;
    return true;
}

uint32_t renaming_channel(const int *to, uint32_t channel)
{
    const struct channel *c = &world.channel[channel];
    uint32_t node = (uint32_t)to[c->node];
    switch (c->kind) {
    case CHANNEL_LINK:
        return link_channel(to[c->number], (int)node);
    case CHANNEL_TIMER:
        return world.timer_channel + node * HEDDLE_TIMERS + c->number;
    case CHANNEL_FAULT:
        return world.fault_channel + node;
    case CHANNEL_NET:
        return world.net_channel + node;
    case CHANNEL_BREAK:
        return connection_break_channel(to[c->number], (int)node);
    default:
        return channel;
    }
}

static void rename_entry(const int *to, uint32_t index)
{
    struct entry *e = &world.entry[index];
    undo_save(&world.undo, e, sizeof *e);
    e->from = (uint8_t)to[e->from];
    if (e->size) {
        uint32_t offset = world_copy_data(e->offset, e->size);
        if (rules()->message)
            rules()->message(world.data + offset, e->size, to);
        e->offset = offset;
    }
    e->hash = e->exact = 0;
}

static void rename_queues(const int *to)
{
    static struct queue renamed[MAX_CHANNELS];
    memset(renamed, 0, world.channels * sizeof *renamed);
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        const struct queue *q = &world.queue[channel];
        bool is_request = world.channel[channel].kind == CHANNEL_REQUEST; // its entries name the request, not the node
        uint32_t index = q->first;
        for (uint32_t i = 0; i < q->count; i++, index = world.entry[index].next)
            if (!is_request)
                rename_entry(to, index);
        renamed[renaming_channel(to, channel)] = *q;
    }
    undo_save(&world.undo, world.queue, world.channels * sizeof *renamed);
    memcpy(world.queue, renamed, world.channels * sizeof *renamed);
}

// Each node's memory stays where it is; another number leads there.
static void move_nodes(const int *to)
{
    uint8_t *block[MAX_NODES] = {0}, *disk[MAX_NODES] = {0}, *report[MAX_NODES] = {0}, *forgotten[MAX_NODES] = {0};
    for (int i = 0; i < world.options.nodes; i++) {
        block[to[i]] = world.block[i];
        disk[to[i]] = world.disk[i];
        report[to[i]] = world.report[i];
        forgotten[to[i]] = world.forgotten[i];
    }
    size_t size = sizeof *block * (size_t)world.options.nodes;
    undo_save(&world.undo, world.block, size);
    undo_save(&world.undo, world.disk, size);
    undo_save(&world.undo, world.report, size);
    undo_save(&world.undo, world.forgotten, size);
    memcpy(world.block, block, size);
    memcpy(world.disk, disk, size);
    memcpy(world.report, report, size);
    memcpy(world.forgotten, forgotten, size);
    world.loaded = -1;
}

bool renaming_do(const int *to)
{
    bool trial = world.trial;
    world.trial = true;
    undo_save(&world.undo, &world.counts, sizeof world.counts);
    move_nodes(to);
    for (int i = 0; i < world.options.nodes && world.failure == FAILURE_NONE; i++)
        node_rename(i, to);
    rename_queues(to);
    observer_rename(to);
    world.trial = trial;
    return world.failure == FAILURE_NONE;
}

// What nodes become, by what they are, their number, and the renaming.
enum { BECOMES = 1 << 18 };

static struct {
    uint64_t key; // 0: free
    uint64_t hash;
} * becomes;

void renaming_forget(void)
{
    if (becomes)
        mem_release(becomes, BECOMES * sizeof *becomes);
    becomes = NULL;
}

static uint64_t key_of(int node, uint32_t which)
{
    uint64_t key =
        (node_hash(node) ^ ((uint64_t)which << 8 | (uint64_t)node << 1 | relevant_counts_all()) * 0x9e3779b97f4a7c15u) *
        0xbf58476d1ce4e5b9u;
    key ^= key >> 29;
    return key + !key;
}

// Hashes of nodes by their new numbers, as far as they are known. False: not all are.
static bool recall(const int *to, uint32_t which, uint64_t *nodes)
{
    for (int i = 0; i < world.options.nodes; i++) {
        uint64_t key = key_of(i, which);
        if (becomes[key % BECOMES].key != key)
            return false;
        nodes[to[i]] = becomes[key % BECOMES].hash;
    }
    return true;
}

// Finds them out, and remembers them.
static bool find_out(const int *to, uint32_t which, uint64_t *nodes)
{
    uint64_t keys[MAX_NODES];
    for (int i = 0; i < world.options.nodes; i++)
        keys[i] = key_of(i, which);
    size_t mark = undo_mark(&world.undo);
    bool fine = renaming_do(to);
    for (int i = 0; i < world.options.nodes && fine; i++)
        nodes[i] = relevant_counts_all() ? node_hash(i) : relevant_hash(i);
    world_back(mark);
    for (int i = 0; i < world.options.nodes && fine; i++) {
        becomes[keys[i] % BECOMES].key = keys[i];
        becomes[keys[i] % BECOMES].hash = nodes[to[i]];
    }
    return fine;
}

bool renaming_hash(const int *to, uint32_t which, uint64_t *hash)
{
    uint64_t nodes[MAX_NODES];
    if (!renaming_applies(to))
        return false;
    if (!becomes)
        becomes = mem_reserve(BECOMES * sizeof *becomes);
    if (!recall(to, which, nodes) && !find_out(to, which, nodes))
        return false;
    *hash = world_sum(nodes, to);
    return true;
}

uint64_t renaming_canonical(void)
{
    static int all[MOST_RENAMINGS][MAX_NODES];
    uint32_t count = renaming_all(all);
    uint64_t least = world_hash();
    for (uint32_t i = 0; i < count; i++) {
        if (!renaming_applies(all[i]))
            continue;
        size_t mark = undo_mark(&world.undo);
        if (renaming_do(all[i]) && world_hash() < least)
            least = world_hash();
        world_back(mark);
    }
    return least;
}
