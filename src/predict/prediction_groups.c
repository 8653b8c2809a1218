#include "predict/prediction_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { MANY_SIZES = 8 }; // of what is allocated at one place

struct grouping {
    struct hunt *h;
    uint32_t *created_at; // by thread: the place; NOT_RECORDED: nobody created it, or that is unknown
    uint32_t *sizes_at;   // by place: how many sizes were allocated there
    struct table keys;    // what tells groups apart …
    uint32_t *first;      // … and the first prediction of each
    size_t first_room;
};

static uint32_t *find_creations(const struct recording *r)
{
    uint32_t *places = alloc_array(r->thread_count + 1, sizeof *places);
    for (uint32_t i = 0; i < r->thread_count; i++)
        places[i] = NOT_RECORDED;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->records[i].kind == RECORD_CREATE)
            places[r->records[i].object] = r->records[i].place;
    return places;
}

static uint32_t *count_sizes(const struct recording *r)
{
    uint32_t *sizes = alloc_zeroed(r->place_count + 1, sizeof *sizes);
    struct table seen = {0};
    for (uint32_t i = 0; i < r->block_count; i++) {
        const struct recorded_block *b = &r->blocks[i];
        bool added = false;
        if (b->kind == BLOCK_HEAP && b->place != NOT_RECORDED)
            table_add(&seen, (uint64_t[]){b->place, b->size}, 2 * sizeof(uint64_t), &added);
        if (added)
            sizes[b->place]++;
    }
    table_free(&seen);
    return sizes;
}

static void add_place(const struct recording *r, uint32_t place, bool function, struct buffer *out)
{
    if (function && r->places[place].function)
        buffer_add(out, "%s", r->places[place].function);
    else
        buffer_add(out, "@%u", place);
}

// The part of the program that does one side: of a thread, in this region (null: none is known) around this record.
static void add_part(const struct grouping *g, uint32_t record, const struct bound *bound, struct buffer *out)
{
    const struct hunt *h = g->h;
    uint32_t thread = h->r->records[record].thread, position = h->m.order.position[record];
    struct bound around;
    if (!bound && h->regions.lines[thread].calls && regions_bound(&h->regions, thread, position, position, &around))
        bound = &around;
    if (bound && bound->place != NOT_RECORDED)
        add_place(h->r, bound->place, bound->kind == BOUND_CALL, out);
    else if (g->created_at[thread] != NOT_RECORDED)
        add_place(h->r, g->created_at[thread], false, out);
    else
        buffer_add(out, "thread %u", thread);
}

static bool is_of_atomicity(const struct prediction *p)
{
    return p->kind == PREDICT_ONE_VARIABLE || p->kind == PREDICT_TWO_VARIABLES;
}

// The two parts, the lesser one first.
static void add_parts(const struct grouping *g, const struct prediction *p, struct buffer *out)
{
    struct buffer one = {0}, other = {0};
    add_part(g, p->records[0], &p->bound, &one);
    add_part(g, p->records[1], p->kind == PREDICT_TWO_VARIABLES ? &p->other_bound : NULL, &other);
    bool in_order = strcmp(buffer_text(&one), buffer_text(&other)) <= 0;
    buffer_add(out, "%s | %s", buffer_text(in_order ? &one : &other), buffer_text(in_order ? &other : &one));
    buffer_free(&one);
    buffer_free(&other);
}

// The group of a key, which begins with this prediction if it is new.
static uint32_t group_of(struct grouping *g, const struct buffer *key, uint32_t prediction)
{
    bool added;
    uint32_t number = table_add_text(&g->keys, buffer_text(key), &added);
    if (added) {
        g->first = alloc_grow(g->first, number, &g->first_room, sizeof *g->first);
        g->first[number] = prediction;
    }
    return g->first[number];
}

static const char *state_of(const struct prediction *p)
{
    return p->confirmed == CONFIRMED ? "seen" : p->confirmed == UNCONFIRMED ? "not tried" : "else";
}

// What a race is about: a global variable as a whole, or what is allocated at one place. Where that place is in an allocator of the
// program's own, which the program gets all of its memory from, it is what has one size.
static void add_memory(const struct grouping *g, uint32_t record, struct buffer *out)
{
    const struct recording *r = g->h->r;
    const struct recorded_block *b = &r->blocks[r->variables[r->records[record].object].block];
    bool placed = b->kind == BLOCK_HEAP && b->place != NOT_RECORDED;
    if (!placed)
        buffer_add(out, "%s", b->name);
    else
        add_place(r, b->place, false, out);
    if (placed && g->sizes_at[b->place] >= MANY_SIZES)
        buffer_add(out, " of %llu", (unsigned long long)b->size);
}

static uint32_t find_group(struct grouping *g, uint32_t number)
{
    const struct prediction *p = &g->h->found.list[number];
    struct buffer key = {0};
    uint32_t group = number;
    if (p->harmful) {
        buffer_add(&key, "fails: %s", p->reason ? p->reason : "");
        group = group_of(g, &key, number);
    }
    if (is_of_atomicity(p)) {
        buffer_cut(&key, 0);
        buffer_add(&key, "%s: ", state_of(p));
        add_parts(g, p, &key);
        // Those that do harm stand first in the list: others of these parts find them.
        uint32_t of_parts = group_of(g, &key, group);
        group = p->harmful ? group : of_parts;
    } else if (p->kind == PREDICT_RACE && !p->harmful) {
        buffer_add(&key, "race, %s, %u: ", state_of(p), p->idiom);
        add_memory(g, p->records[0], &key);
        group = group_of(g, &key, number);
    }
    buffer_free(&key);
    return group;
}

void predictions_group(struct hunt *h)
{
    struct grouping g = {.h = h, .created_at = find_creations(h->r), .sizes_at = count_sizes(h->r)};
    for (uint32_t i = 0; i < h->found.count; i++)
        h->found.list[i].alike = h->found.list[i].alike_harmful = 0;
    for (uint32_t i = 0; i < h->found.count; i++) {
        struct prediction *p = &h->found.list[i];
        p->group = find_group(&g, i);
        h->found.list[p->group].alike++;
        h->found.list[p->group].alike_harmful += p->harmful;
    }
    free(g.created_at);
    free(g.sizes_at);
    free(g.first);
    table_free(&g.keys);
}
