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
    static uint32_t searches;
    *e = (struct exact_states){
        .file = -1, .most = most, .in_memory = SIZE_MAX, .slots = SLOTS_AT_FIRST, .count = 1, .search = ++searches};
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

// The number of what stands in `piece`, which is empty then; 0: nothing stood there.
static uint32_t take_piece(struct exact_states *e)
{
    uint32_t number = e->piece.length ? number_of(e, &e->piece) : 0;
    buffer_cut(&e->piece, 0);
    return number;
}

static void add_piece(struct exact_states *e)
{
    uint32_t number = take_piece(e);
    add(&e->row, &number, sizeof number);
}

static void take_bytes(void *context, const void *bytes, size_t size)
{
    struct buffer *piece = context;
    add_number(piece, size);
    add(piece, bytes, size);
}

// Whether a node or a message remembers its number.
static bool is_known(const struct exact_states *e, uint64_t exact)
{
    return exact >> 32 == e->search;
}

static uint64_t remember(const struct exact_states *e, uint32_t number)
{
    return (uint64_t)e->search << 32 | number;
}

static uint32_t number_of_node(struct exact_states *e, int node)
{
    struct node_local *local = node_local(node);
    if (!is_known(e, local->exact)) {
        relevant_spell(node, relevant_counts_all(), take_bytes, &e->piece);
        local->exact = remember(e, take_piece(e));
    }
    return (uint32_t)local->exact;
}

static uint32_t number_of_entry(struct exact_states *e, struct entry *entry)
{
    if (!is_known(e, entry->exact)) {
        add_number(&e->piece, (uint64_t)entry->cut_off << 16 | (uint64_t)entry->kind << 8 | entry->from);
        take_bytes(&e->piece, world.data + entry->offset, entry->size);
        entry->exact = remember(e, take_piece(e));
    }
    return (uint32_t)entry->exact;
}

// Of something in flight, besides what it is: its place in the channel, what was chosen about it, and of what depends on the time whether
// it still counts.
static uint64_t how_it_stands(uint32_t channel, const struct entry *entry, uint64_t place)
{
    const struct channel *c = &world.channel[channel];
    const struct node_local *local = node_local(c->node);
    const struct queue *q = &world.queue[channel];
    uint64_t chosen = place ? 0 : (uint64_t)q->stage * 2 + q->again;
    bool is_timer = entry->kind == ENTRY_TIMER;
    uint64_t age = is_timer ? local->set[c->number] && local->generation[c->number] == entry->generation
                            : connection_age(c->node, entry);
    return (channel_is_bag(channel) ? 0 : place << 36) | chosen << 32 | age;
}

// One number for both. That of a message as it is mostly, which is first and of which nothing was chosen, is that of its contents: these
// are no piece of two words of which the second is not 0.
static uint32_t number_in_flight(struct exact_states *e, uint32_t channel, struct entry *entry, uint64_t place)
{
    uint32_t number = entry->kind == ENTRY_TIMER ? 0 : number_of_entry(e, entry);
    uint64_t how = how_it_stands(channel, entry, place);
    if (!how)
        return number;
    add_number(&e->piece, number);
    add_number(&e->piece, how);
    return take_piece(e);
}

static void spell_queue(struct exact_states *e, uint32_t channel)
{
    const struct channel *c = &world.channel[channel];
    const struct queue *q = &world.queue[channel];
    uint64_t key = channel_is_bag(channel) ? link_channel(c->number, c->node) : channel;
    uint32_t index = q->first;
    for (uint32_t i = 0; i < q->count; i++, index = world.entry[index].next)
        add_number(&e->row, key << 32 | number_in_flight(e, channel, &world.entry[index], i));
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Everything that is in flight, with where it is: on which channel, or on which link if its messages are a bag. Those are sorted.
static void spell_network(struct exact_states *e)
{
    uint64_t count = 0;
    for (uint32_t channel = 0; channel < world.channels; channel++)
        count += world.queue[channel].count;
    add_number(&e->row, count);
    size_t from = e->row.length;
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (world.queue[channel].count)
            spell_queue(e, channel);
    if (world.options.order == ORDER_ANY && count)
        qsort(e->row.text + from, count, sizeof(uint64_t), compare_words);
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
    add_piece(e);
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
    add_piece(e);
}

uint64_t exact_states_number(struct exact_states *e)
{
    size_t size;
    buffer_cut(&e->row, 0);
    buffer_cut(&e->piece, 0);
    for (int i = 0; i < world.options.nodes; i++) {
        uint32_t number = number_of_node(e, i);
        add(&e->row, &number, sizeof number);
    }
    add(&e->piece, world.counts.left, sizeof world.counts.left);
    add_piece(e);
    spell_network(e);
    spell_clients(e);
    spell_tree(e);
    const void *memory = observer_memory(&size);
    add(&e->piece, memory, size);
    add_piece(e);
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
