#include "cluster/propose.h"

#include <string.h>

#include "base/mem.h"
#include "cluster/lines.h"
#include "target/nodes/connections.h"
#include "target/nodes/relevant.h"
#include "target/nodes/world.h"

// Tries at a state; values that are remembered of a part; tries after which it is proposed.
enum { TRIES = 6, VALUES = 6, ENOUGH = 100 };

struct part { // four bytes
    uint32_t value[VALUES];
    uint32_t values, tries;
    bool matters;
};

void proposals_open(struct proposals *p, uint64_t seed)
{
    p->count = (uint32_t)(world.library.segment_size / sizeof(uint32_t));
    p->part = mem_reserve((p->count + 1) * sizeof *p->part);
    draw_begin(&p->draw, seed, 1);
}

void proposals_close(struct proposals *p)
{
    if (p->part)
        mem_release(p->part, (p->count + 1) * sizeof *p->part);
}

static uint8_t *place_of(int node, uint32_t part)
{
    return world.block[node] + sizeof(struct node_local) + part * sizeof(uint32_t);
}

static uint32_t value_at(int node, uint32_t part)
{
    uint32_t value;
    memcpy(&value, place_of(node, part), sizeof value);
    return value;
}

static void note_value(struct part *part, uint32_t value)
{
    for (uint32_t i = 0; i < part->values; i++)
        if (part->value[i] == value)
            return;
    if (part->values < VALUES)
        part->value[part->values++] = value;
}

static void note_values(struct proposals *p)
{
    for (int node = 0; node < world.options.nodes; node++)
        for (uint32_t i = 0; i < p->count && node_local(node)->up; i++)
            note_value(&p->part[i], value_at(node, i));
}

static void put_value(int node, uint32_t part, uint32_t value)
{
    world_keep_node(node);
    memcpy(place_of(node, part), &value, sizeof value);
    node_forget_hashes(node);
    world.loaded = -1;
}

// What the event leads to if the part has this value, but for the part itself.
static uint64_t result_with(int node, uint32_t part, uint32_t value, uint32_t channel)
{
    size_t mark = undo_mark(&world.undo);
    put_value(node, part, value);
    uint64_t outcomes = channel_outcomes(channel);
    world_try(channel, 0);
    uint64_t result = 1 + world.failure;
    if (world.failure == FAILURE_NONE) {
        put_value(node, part, 0);
        result = world_hash();
    }
    world_back(mark);
    return result * 31 + outcomes;
}

static bool can_happen(uint32_t channel)
{
    return channel_head(channel) && !channel_chooses(channel) && !connection_waits(channel) && !request_waits(channel);
}

// Whether the state of the node is another one with this value: if not, the part is declared already, or forgotten.
static bool is_of_state(int node, uint32_t part, uint32_t value)
{
    uint64_t hash = relevant_hash(node);
    size_t mark = undo_mark(&world.undo);
    put_value(node, part, value);
    bool differs = relevant_hash(node) != hash;
    world_back(mark);
    return differs;
}

static void try_part(struct part *part, uint32_t number, int node, uint32_t other)
{
    uint32_t value = value_at(node, number);
    for (uint32_t channel = 0; channel < world.channels && !part->matters; channel++) {
        if (world.channel[channel].node != node || !can_happen(channel))
            continue;
        part->tries++;
        part->matters = result_with(node, number, value, channel) != result_with(node, number, other, channel);
    }
}

void proposals_look(struct proposals *p)
{
    if (!p->part || world.failure != FAILURE_NONE)
        return;
    note_values(p);
    for (uint32_t i = 0, tries = 0; i < p->count && tries < TRIES; i++) {
        uint32_t number = p->turn++ % p->count;
        struct part *part = &p->part[number];
        int node = (int)draw_below(&p->draw, (uint32_t)world.options.nodes);
        if (part->values < 2 || part->matters || !node_local(node)->up)
            continue;
        uint32_t other = part->value[draw_below(&p->draw, part->values)];
        if (other != value_at(node, number) && is_of_state(node, number, other))
            try_part(part, number, node, other);
        tries++;
    }
}

void proposals_tell(const struct proposals *p, struct buffer *text)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const struct part *part = &p->part[i];
        size_t length = text->length;
        if (part->values < 2 || part->matters || part->tries < ENOUGH)
            continue;
        if (length)
            buffer_add(text, ", ");
        if (!lines_name((uintptr_t)world.library.segment + i * sizeof(uint32_t), sizeof(uint32_t), text))
            buffer_cut(text, length);
    }
}
