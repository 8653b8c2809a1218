#include "target/nodes/relevant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/alloc.h"
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

// Parts of the segment that do not count, in their order.
static struct gap {
    size_t start, end;
    bool proved;
} * gap;
static size_t gaps, gap_room;

bool relevant_is_assumed(void)
{
    const struct heddle_protocol *p = world.library.protocol;
    return p->forget || (p->auxiliary && p->auxiliary->size);
}

bool relevant_is_less(void)
{
    return gaps || relevant_is_assumed();
}

void relevant_each_unread(relevant_take *take, void *context)
{
    for (size_t i = 0; i < gaps; i++)
        if (gap[i].proved)
            take(context, world.library.segment + gap[i].start, gap[i].end - gap[i].start);
}

// False if it is not part of the segment.
static bool add_gap(const volatile void *start, size_t size, bool proved)
{
    const struct library *l = &world.library;
    uintptr_t segment = (uintptr_t)l->segment, at = (uintptr_t)start;
    if (at < segment || at - segment > l->segment_size || size > l->segment_size - (at - segment))
        return false;
    gap = alloc_grow(gap, gaps, &gap_room, sizeof *gap);
    gap[gaps++] = (struct gap){at - segment, at - segment + size, proved};
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct gap *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

const char *relevant_open(void)
{
    const struct library *l = &world.library;
    counts_all = false;
    gaps = 0;
    for (const struct heddle_region *r = l->protocol->auxiliary; r && r->size; r++)
        if (!add_gap(r->start, r->size, false))
            return "it calls auxiliary what is no global variable of a node";
    for (size_t i = 0; i < l->unread_count && !world.options.whole; i++)
        add_gap((const uint8_t *)&l->unread[i] + l->unread[i].start, l->unread[i].size, true);
    if (gaps)
        qsort(gap, gaps, sizeof *gap, by_start);
    return NULL;
}

void relevant_close(void)
{
    free(gap);
    gap = NULL;
    gaps = gap_room = 0;
}

static void forget_state(void *context)
{
    (void)context;
    world.library.protocol->forget(world.report[world.self]);
}

// No execution failed, so there is nothing to report: the protocol cannot be used as it is.
static _Noreturn void refuse_forget(void)
{
    fprintf(stderr, "heddle cluster: the protocol's `forget` fails: %s\n", world.failure_text);
    exit(2);
}

// Lets the node forget; undone by undo_to.
static void let_forget(int node)
{
    bool trial = world.trial;
    enum failure_kind failure = world.failure;
    world.trial = true;
    world.failure = FAILURE_NONE;
    undo_save(&world.undo, &world.counts, sizeof world.counts);
    world_keep_node(node);
    if (!memory_run(node, forget_state, NULL) && failure == FAILURE_NONE)
        refuse_forget();
    world.failure = failure;
    world.loaded = -1;
    world.trial = trial;
}

void relevant_crash(int node)
{
    size_t size = world.library.protocol->state_size, mark;
    if (!world.library.protocol->forget)
        return;
    undo_save(&world.undo, world.forgotten[node], size);
    mark = undo_mark(&world.undo);
    let_forget(node);
    memcpy(world.forgotten[node], world.report[node], size);
    undo_to(&world.undo, mark);
}

void relevant_rename_forgotten(int node, int *to)
{
    if (!world.library.protocol->forget)
        return;
    undo_save(&world.undo, world.forgotten[node], world.library.protocol->state_size);
    world.library.protocol->renaming->state(world.forgotten[node], to);
}

// A node that is down has nothing in its memory, and what it reported last stays.
static void spell(int node, bool whole, relevant_take *take, void *context)
{
    const struct node_local *local = node_local(node);
    bool forgot = !whole && !local->up && world.library.protocol->forget;
    const uint8_t *block = world.block[node];
    size_t from = offsetof(struct node_local, up), segment = sizeof(struct node_local);
    for (size_t i = 0; i < gaps && local->up && !whole; i++) {
        if (segment + gap[i].start > from)
            take(context, block + from, segment + gap[i].start - from);
        if (segment + gap[i].end > from)
            from = segment + gap[i].end;
    }
    take(context, block + from, local->used - from);
    take(context, forgot ? world.forgotten[node] : world.report[node], world.library.protocol->state_size);
    if (local->disk_used)
        take(context, world.disk[node], local->disk_used);
    if (local->synced_used)
        take(context, world.disk[node] + DISK_ROOM, local->synced_used);
    take(context, &local->written, sizeof local->written);
}

void relevant_spell(int node, bool whole, relevant_take *take, void *context)
{
    size_t mark = undo_mark(&world.undo);
    if (!whole && world.library.protocol->forget && node_local(node)->up)
        let_forget(node);
    spell(node, whole, take, context);
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
