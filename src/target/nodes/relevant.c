#include "target/nodes/relevant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "target/nodes/memory.h"
#include "target/nodes/world.h"

static bool counts_all;

void relevant_count_all(bool all)
{
    counts_all = all;
}

bool relevant_counts_all(void)
{
    return counts_all;
}

static const struct heddle_region *regions(void)
{
    return world.library.protocol->auxiliary;
}

bool relevant_is_less(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    return p->forget || (p->auxiliary && p->auxiliary->size);
}

const char *relevant_open(void)
{
    const struct library *l = &world.library;
    counts_all = false;
    for (const struct heddle_region *r = regions(); r && r->size; r++) {
        uintptr_t start = (uintptr_t)r->start, segment = (uintptr_t)l->segment;
        if (start < segment || start - segment > l->segment_size || r->size > l->segment_size - (start - segment))
            return "it calls auxiliary what is no global variable of a node";
    }
    return NULL;
}

static void forget_state(void *context)
{
    (void)context;
    world.library.protocol->forget(world.report[world.self]);
}

static void clear_regions(int node)
{
    uint8_t *segment = world.block[node] + sizeof(struct node_local);
    for (const struct heddle_region *r = regions(); r && r->size; r++)
        memset(segment + ((const uint8_t *)r->start - world.library.segment), 0, r->size);
}

// No execution failed, so there is nothing to report: the protocol cannot be used as it is.
static _Noreturn void refuse_forget(void)
{
    fprintf(stderr, "heddle cluster: the protocol's `forget` fails: %s\n", world.failure_text);
    exit(2);
}

// Takes away what does not count; undone by undo_to. A node that is down has nothing in its memory, and what it reported last stays.
static void reduce(int node)
{
    bool trial = world.trial;
    enum failure_kind failure = world.failure;
    world.trial = true;
    world.failure = FAILURE_NONE;
    undo_save(&world.undo, &world.counts, sizeof world.counts);
    world_keep_node(node);
    if (world.library.protocol->forget && node_local(node)->up && !memory_run(node, forget_state, NULL) &&
        failure == FAILURE_NONE)
        refuse_forget();
    world.failure = failure;
    if (node_local(node)->up)
        clear_regions(node);
    world.loaded = -1;
    world.trial = trial;
}

static void spell(int node, relevant_take *take, void *context)
{
    const struct node_local *local = node_local(node);
    size_t from = offsetof(struct node_local, up);
    take(context, world.block[node] + from, local->used - from);
    take(context, world.report[node], world.library.protocol->state_size);
    if (local->disk_used)
        take(context, world.disk[node], local->disk_used);
    if (local->synced_used)
        take(context, world.disk[node] + DISK_ROOM, local->synced_used);
    take(context, &local->written, sizeof local->written);
}

void relevant_spell(int node, bool whole, relevant_take *take, void *context)
{
    if (whole || !relevant_is_less()) {
        spell(node, take, context);
        return;
    }
    size_t mark = undo_mark(&world.undo);
    reduce(node);
    spell(node, take, context);
    undo_to(&world.undo, mark);
}

static void hash_piece(void *context, const void *bytes, size_t size)
{
    uint64_t *hash = context;
    *hash = XXH3_64bits_withSeed(bytes, size, *hash);
}

uint64_t relevant_hash(int node)
{
    struct node_local *local = node_local(node);
    if (!relevant_is_less())
        return node_hash(node);
    if (!local->relevant) {
        uint64_t hash = 0;
        relevant_spell(node, false, hash_piece, &hash);
        local->relevant = hash + !hash;
    }
    return local->relevant;
}
