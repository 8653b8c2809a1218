#include "predict/held_order.h"

#include <string.h>

// The numbers that threads, variables and blocks of a prediction get, in the order in which they turn up.
struct numbers {
    uint64_t keys[HOLDING_POINTS];
    uint32_t count;
};

static uint8_t number_of(struct numbers *n, uint64_t key)
{
    uint32_t i = 0;
    while (i < n->count && n->keys[i] != key)
        i++;
    n->keys[i] = key;
    n->count += i == n->count;
    return (uint8_t)i;
}

static bool is_library(const char *module)
{
    const char *slash = module ? strrchr(module, '/') : NULL;
    return module && strstr(slash ? slash : module, ".so");
}

static uint32_t block_of(const struct recording *r, const struct record *e)
{
    if (record_table[e->kind].access)
        return r->variables[e->object].block;
    return e->kind == RECORD_RELEASE ? e->object : r->objects[e->object].block;
}

// What memory the point is about.
static void place_in_memory(const struct recording *r, const struct record *e, struct hold_point *point)
{
    const struct recorded_block *b = &r->blocks[block_of(r, e)];
    point->size = 1;
    if (record_table[e->kind].access) {
        point->offset = r->variables[e->object].offset;
        point->size = r->variables[e->object].size;
    } else if (e->kind != RECORD_RELEASE) {
        point->offset = r->objects[e->object].offset;
    }
    // Libraries lie elsewhere in each run.
    if (b->kind == BLOCK_GLOBAL && !is_library(b->module))
        point->address = b->address + point->offset;
}

static bool kind_of(const struct record *e, uint8_t *kind)
{
    bool lock = e->kind == RECORD_LOCK || e->kind == RECORD_LOCK_SHARED;
    bool waits = e->kind == RECORD_WAIT_BEGIN || e->kind == RECORD_SIGNAL || e->kind == RECORD_BROADCAST;
    *kind = lock ? HOLD_LOCK : e->kind == RECORD_RELEASE ? HOLD_RELEASE : HOLD_ACCESS;
    return lock || waits || e->kind == RECORD_RELEASE || record_table[e->kind].access;
}

// Calls around the first position that the second is not in.
static uint8_t calls_left(const struct hunt *h, uint32_t thread, uint32_t first, uint32_t second)
{
    const struct region_line *line = &h->regions.lines[thread];
    uint32_t count = 0, region = line->calls ? regions_call(&h->regions, thread, first) : 0;
    for (; region && line->regions[region].to < second; region = line->regions[region].around)
        count += line->regions[region].kind == REGION_FUNCTION;
    return region && count < HOLDING_ANY ? (uint8_t)count : HOLDING_ANY;
}

static uint32_t count_releases(const struct hunt *h, uint32_t thread, uint32_t first, uint32_t second)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < second; i++) {
        uint8_t kind = h->r->records[h->r->threads[thread].records[i]].kind;
        count += kind == RECORD_UNLOCK || kind == RECORD_WAIT_BEGIN;
    }
    return count;
}

// The point before this one in its thread, and what may lie between them.
static void find_previous(const struct hunt *h, const struct prediction *p, uint32_t which, struct hold_point *point)
{
    const uint32_t *position = h->m.order.position;
    uint32_t thread = h->r->records[p->records[which]].thread, at = position[p->records[which]], best = NOT_RECORDED;
    point->previous = point->outward = HOLDING_ANY;
    for (uint32_t i = 0; i < p->record_count; i++) {
        uint32_t other = position[p->records[i]];
        if (i == which || h->r->records[p->records[i]].thread != thread || other > at || (other == at && i > which) ||
            (best != NOT_RECORDED && other < best))
            continue;
        best = other;
        point->previous = (uint8_t)i;
    }
    if (best == NOT_RECORDED)
        return;
    point->outward = calls_left(h, thread, best, at);
    point->releases = count_releases(h, thread, best, at);
}

// The call that takes the outermost lock around the point that the thread does not hold at the point before.
static uint64_t find_gate(const struct hunt *h, const struct prediction *p, uint32_t which,
                          const struct hold_point *point)
{
    const uint32_t *position = h->m.order.position;
    uint32_t thread = h->r->records[p->records[which]].thread, at = position[p->records[which]];
    const struct section_line *line = &h->m.sections.lines[thread];
    const struct recorded_thread *t = &h->r->threads[thread];
    uint64_t gate = 0;
    for (uint32_t node = sections_held(&h->m.sections, thread, at); node != NOT_RECORDED;
         node = line->held[node].below) {
        uint32_t from = line->sections[line->held[node].section].from;
        uint32_t place = h->r->records[t->records[from]].place;
        bool since = point->previous == HOLDING_ANY || from > position[p->records[point->previous]];
        if (since && place != NOT_RECORDED && !is_library(h->r->places[place].module))
            gate = h->r->places[place].pc;
    }
    return gate;
}

static const char *make_point(const struct hunt *h, const struct prediction *p, uint32_t which, struct numbers *numbers,
                              struct hold_point *point)
{
    const struct recording *r = h->r;
    const struct record *e = &r->records[p->records[which]];
    if (e->place == NOT_RECORDED || !r->places[e->place].pc)
        return "the recording does not have the place in the code";
    if (is_library(r->places[e->place].module))
        return "the place is in a library";
    if (!kind_of(e, &point->kind))
        return "threads cannot be held back there";
    point->pc = r->places[e->place].pc;
    place_in_memory(r, e, point);
    uint64_t block = block_of(r, e), kind = e->kind == RECORD_RELEASE ? 2 : point->kind == HOLD_LOCK;
    point->thread = number_of(&numbers[0], e->thread);
    point->variable = number_of(&numbers[1], kind << 32 | e->object);
    // Only blocks of the heap lie elsewhere as wholes.
    bool whole = r->blocks[block].kind == BLOCK_HEAP;
    point->block = number_of(&numbers[2], whole ? block : 1ull << 40 | point->variable);
    find_previous(h, p, which, point);
    point->gate = point->kind == HOLD_ACCESS ? find_gate(h, p, which, point) : 0;
    return NULL;
}

static uint8_t point_of(const struct prediction *p, uint32_t record)
{
    uint32_t i = 0;
    while (p->records[i] != record)
        i++;
    return (uint8_t)i;
}

const char *held_order_make(const struct hunt *h, const struct prediction *p, struct hold_order *order)
{
    struct numbers numbers[3] = {0};
    *order = (struct hold_order){.point_count = p->record_count, .pair_count = p->wish_count, .meets = !p->wish_count};
    for (uint32_t i = 0; i < p->record_count; i++) {
        const char *why = make_point(h, p, i, numbers, &order->point[i]);
        if (why)
            return why;
    }
    for (uint32_t i = 0; i < p->wish_count; i++)
        order->pair[i] = (struct hold_pair){point_of(p, p->wishes[i].before), point_of(p, p->wishes[i].after)};
    return NULL;
}
