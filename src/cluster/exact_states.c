#define _GNU_SOURCE
#include "cluster/exact_states.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "target/nodes/agreement.h"
#include "target/nodes/connections.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"
#include "target/nodes/world.h"

static const size_t text_most = (size_t)1 << 38;
enum { SLOTS_AT_FIRST = 1 << 12, PIECE = 1 << 24 };

void exact_states_open(struct exact_states *e, size_t most)
{
    *e = (struct exact_states){.file = -1, .most = most, .in_memory = SIZE_MAX, .slots = SLOTS_AT_FIRST, .count = 1};
    // Not by mem_reserve: a file can be mapped only where a page begins.
    e->text = mmap(NULL, text_most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    require_room(e->text != MAP_FAILED, "states");
    e->slot = mem_reserve(e->slots * sizeof *e->slot);
    e->place = mem_reserve(e->slots * sizeof *e->place);
}

void exact_states_close(struct exact_states *e)
{
    munmap(e->text, text_most);
    mem_release(e->slot, e->slots * sizeof *e->slot);
    mem_release(e->place, e->slots * sizeof *e->place);
    if (e->file >= 0)
        close(e->file);
    buffer_free(&e->row);
    buffer_free(&e->piece);
}

// A file without a name for what comes; -1 if there can be none.
static int begin_file(void)
{
    char path[PATH_MAX];
    int file = scratch_file(path, sizeof path);
    if (file >= 0)
        unlink(path);
    return file;
}

// Memory that is short is given back to the system: what lies in the file is read from there when it is needed.
static void let_go(struct exact_states *e)
{
    if (e->in_memory < e->used)
        madvise(e->text + e->in_memory, (e->used - e->in_memory) / PIECE * PIECE, MADV_DONTNEED);
}

// The next piece of text lies in the file, if memory is short and there is room on the disk; otherwise in memory.
static void extend(struct exact_states *e)
{
    size_t from = e->room;
    require_room(from + PIECE <= text_most, "states");
    e->room += PIECE;
    if (!e->most || e->room <= e->most)
        return;
    if (e->in_memory == SIZE_MAX) {
        e->file = begin_file();
        e->in_memory = from;
    }
    off_t at = (off_t)(from - e->in_memory);
    if (e->file >= 0 && !posix_fallocate(e->file, at, PIECE))
        require(mmap(e->text + from, PIECE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, e->file, at) != MAP_FAILED);
    let_go(e);
}

static void grow(struct exact_states *e)
{
    struct exact_states old = *e;
    require(e->slots < UINT32_MAX / 4);
    e->slots *= 2;
    e->slot = mem_reserve(e->slots * sizeof *e->slot);
    e->place = mem_reserve(e->slots * sizeof *e->place);
    memcpy(e->place, old.place, old.count * sizeof *old.place);
    for (uint32_t i = 0; i < old.slots; i++) {
        if (!old.slot[i])
            continue;
        uint32_t size, at;
        const uint8_t *text = e->text + e->place[(uint32_t)old.slot[i]];
        memcpy(&size, text, sizeof size);
        for (at = (uint32_t)XXH3_64bits(text + sizeof size, size) & (e->slots - 1); e->slot[at];)
            at = (at + 1) & (e->slots - 1);
        e->slot[at] = old.slot[i];
    }
    mem_release(old.slot, old.slots * sizeof *old.slot);
    mem_release(old.place, old.slots * sizeof *old.place);
}

static bool is_text(const struct exact_states *e, uint32_t number, const void *bytes, uint32_t size)
{
    uint32_t kept;
    const uint8_t *text = e->text + e->place[number];
    memcpy(&kept, text, sizeof kept);
    return kept == size && !memcmp(text + sizeof kept, bytes, size);
}

static uint32_t keep(struct exact_states *e, const void *bytes, uint32_t size)
{
    while (e->used + sizeof size + size > e->room)
        extend(e);
    e->place[e->count] = e->used;
    memcpy(e->text + e->used, &size, sizeof size);
    memcpy(e->text + e->used + sizeof size, bytes, size);
    e->used += sizeof size + size;
    return e->count++;
}

// The number of these contents.
static uint32_t number_of(struct exact_states *e, const struct buffer *contents)
{
    const void *bytes = buffer_text(contents);
    uint32_t size = (uint32_t)contents->length;
    uint64_t hash = XXH3_64bits(bytes, size);
    uint32_t at = (uint32_t)hash & (e->slots - 1);
    for (; e->slot[at]; at = (at + 1) & (e->slots - 1))
        if (e->slot[at] >> 32 == hash >> 32 && is_text(e, (uint32_t)e->slot[at], bytes, size))
            return (uint32_t)e->slot[at];
    uint32_t number = keep(e, bytes, size);
    e->slot[at] = hash >> 32 << 32 | number;
    if (e->count > e->slots / 2)
        grow(e);
    return number;
}

static void add(struct buffer *b, const void *bytes, size_t size)
{
    buffer_append(b, bytes, size);
}

static void add_number(struct buffer *b, uint64_t number)
{
    add(b, &number, sizeof number);
}

// The number of what stands in `piece`, which is empty then, becomes a part of the row.
static void end_piece(struct exact_states *e)
{
    uint32_t number = number_of(e, &e->piece);
    add(&e->row, &number, sizeof number);
    buffer_cut(&e->piece, 0);
}

static void take_bytes(void *context, const void *bytes, size_t size)
{
    struct buffer *piece = context;
    add_number(piece, size);
    add(piece, bytes, size);
}

static void spell_entry(struct buffer *b, const struct channel *c, const struct entry *e)
{
    const struct node_local *local = node_local(c->node);
    add_number(b, e->kind);
    if (e->kind == ENTRY_TIMER) {
        add_number(b, local->set[c->number] && local->generation[c->number] == e->generation);
        return;
    }
    add_number(b, (uint64_t)e->cut_off << 8 | e->from);
    add_number(b, connection_age(c->node, e));
    take_bytes(b, world.data + e->offset, e->size);
}

static void spell_queue(struct buffer *b, uint32_t channel)
{
    const struct queue *q = &world.queue[channel];
    uint32_t index = q->first;
    add_number(b, (uint64_t)q->stage * 2 + q->again);
    for (uint32_t i = 0; i < q->count; i++, index = world.entry[index].next)
        spell_entry(b, &world.channel[channel], &world.entry[index]);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Which channel, or which link if its messages are a bag, and what is in it; sorted.
static void spell_network(struct exact_states *e)
{
    uint64_t each[MAX_CHANNELS];
    size_t count = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++) {
        const struct channel *c = &world.channel[channel];
        if (!world.queue[channel].count)
            continue;
        spell_queue(&e->piece, channel);
        uint32_t key = channel_is_bag(channel) ? link_channel(c->number, c->node) : channel;
        each[count++] = (uint64_t)key << 32 | number_of(e, &e->piece);
        buffer_cut(&e->piece, 0);
    }
    qsort(each, count, sizeof *each, compare_words);
    add_number(&e->row, count);
    add(&e->row, each, count * sizeof *each);
}

// A call, by its client and how many of the same client came before.
static uint64_t call_name(uint32_t index)
{
    const struct client_call *call = world.clients.call;
    uint64_t earlier = 0;
    for (uint32_t i = 0; i < index; i++)
        earlier += call[i].client == call[index].client;
    return (uint64_t)call[index].client << 32 | earlier << 8 | index; // the index is left out where it is spelled
}

static void spell_clients(struct exact_states *e)
{
    const struct client_call *call = world.clients.call;
    uint64_t name[CLIENT_CALLS];
    uint32_t count = world.clients.count;
    for (uint32_t i = 0; i < count; i++)
        name[i] = call_name(i);
    qsort(name, count, sizeof *name, compare_words);
    for (uint32_t i = 0; i < count; i++) {
        const struct client_call *c = &call[name[i] & 0xff];
        add_number(&e->piece, name[i] >> 8);
        add(&e->piece, c->name, sizeof c->name);
        add(&e->piece, c->argument, sizeof c->argument);
        add_number(&e->piece, c->is_over);
        add_number(&e->piece, c->is_over ? (uint64_t)c->result : 0);
        for (uint32_t k = 0; k < count; k++) {
            const struct client_call *other = &call[name[k] & 0xff];
            add_number(&e->piece, other->is_over && other->returned < c->invoked);
        }
    }
    end_piece(e);
}

// What a tree was told of a round.
struct told {
    uint64_t instance;
    struct qtree_round round, parent;
    uint64_t value, committed;
};

static int compare_told(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct told));
}

static void spell_tree(struct exact_states *e)
{
    const struct qtree *t = agreement_tree();
    struct buffer *b = &e->piece;
    for (uint32_t i = 1; agreement_is_watched() && i < t->counts.nodes; i++) {
        const struct qtree_node *n = &t->node[i];
        const struct qtree_instance *instance = &t->instance[n->instance];
        if (i == instance->root || n->is_refused)
            continue;
        struct told told = {instance->number, n->round, t->node[n->parent].round, n->value, n->is_committed};
        add(b, &told, sizeof told);
    }
    if (b->length)
        qsort(b->text, b->length / sizeof(struct told), sizeof(struct told), compare_told);
    end_piece(e);
}

uint64_t exact_states_number(struct exact_states *e)
{
    size_t size;
    buffer_cut(&e->row, 0);
    buffer_cut(&e->piece, 0);
    for (int i = 0; i < world.options.nodes; i++) {
        relevant_spell(i, relevant_counts_all(), take_bytes, &e->piece);
        end_piece(e);
    }
    add(&e->row, world.counts.left, sizeof world.counts.left);
    spell_network(e);
    spell_clients(e);
    spell_tree(e);
    const void *memory = observer_memory(&size);
    add(&e->piece, memory, size);
    end_piece(e);
    uint64_t spread = number_of(e, &e->row) * 0x9e3779b97f4a7c15u; // odd: no two become one
    return spread ^ spread >> 32;
}

size_t exact_states_bytes(const struct exact_states *e)
{
    size_t text = e->in_memory < e->used ? e->in_memory : e->used;
    return text + e->slots * (sizeof *e->slot + sizeof *e->place);
}

size_t exact_states_disk(const struct exact_states *e)
{
    return e->in_memory < e->used ? e->used - e->in_memory : 0;
}
