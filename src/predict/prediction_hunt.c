#include "predict/prediction_hunt.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { HUNT_FOUND = UINT32_MAX };

void hunt_begin(struct hunt *h, const struct recording *r, unsigned bounds)
{
    *h = (struct hunt){.r = r};
    model_make(&h->m, r);
    regions_make(&h->regions, &h->m, bounds);
    accesses_make(&h->accesses, r);
}

void hunt_end(struct hunt *h)
{
    predictions_free(&h->found);
    accesses_free(&h->accesses);
    regions_free(&h->regions);
    model_free(&h->m);
    table_free(&h->signatures);
    table_free(&h->denied);
    table_free(&h->looks);
    free(h->looked);
    free(h->known);
}

// A number for a text of the recording: texts that are the same are one pointer.
static uint64_t word_key(const char *word)
{
    return (uint64_t)(uintptr_t)word;
}

// The function or section, for a region that has a place; otherwise the function that the access is in.
static uint64_t bound_key(const struct hunt *h, const struct bound *b, uint32_t record)
{
    uint32_t place = h->r->records[record].place;
    if (b->place != NOT_RECORDED)
        return b->place;
    return place != NOT_RECORDED && h->r->places[place].function ? word_key(h->r->places[place].function) : b->thread;
}

// Variables that are parts of one global, or of blocks that were allocated at one place, go by one number.
static uint64_t variable_key(const struct hunt *h, uint32_t record)
{
    uint32_t block = h->r->variables[h->r->records[record].object].block;
    const struct recorded_block *b = &h->r->blocks[block];
    return b->kind == BLOCK_HEAP && b->place != NOT_RECORDED ? (uint64_t)b->place << 32 | 1 : (uint64_t)block << 32;
}

uint32_t hunt_signature(struct hunt *h, const struct prediction *p)
{
    uint64_t key[2 + PREDICTION_RECORDS];
    uint32_t count = 0;
    bool two = p->kind == PREDICT_TWO_VARIABLES;
    key[count++] = (uint64_t)p->kind;
    key[count++] = two ? (uint64_t)p->pattern[0] : p->record_count;
    if (two) {
        key[count++] = variable_key(h, p->records[0]);
        key[count++] = variable_key(h, p->records[3]);
        key[count++] = bound_key(h, &p->bound, p->records[0]);
        key[count++] = bound_key(h, &p->other_bound, p->records[1]);
    }
    for (uint32_t i = 0; !two && i < p->record_count; i++) {
        const struct record *e = &h->r->records[p->records[i]];
        bool placed = e->place != NOT_RECORDED;
        key[count++] = (uint64_t)(placed ? e->place : e->object) << 32 | (uint64_t)e->kind << 1 | (uint64_t)placed;
    }
    bool added;
    uint32_t number = table_add(&h->signatures, key, count * sizeof *key, &added);
    if (added)
        h->known = alloc_grow(h->known, number, &h->known_room, sizeof *h->known);
    return number;
}

bool hunt_is_worn(struct hunt *h, enum prediction_kind kind, uint32_t first, uint32_t second, uint32_t other)
{
    const struct record *e = h->r->records;
    uint32_t key[] = {kind, e[first].place, e[second].place, e[first].thread, other};
    if (e[first].place == NOT_RECORDED || e[second].place == NOT_RECORDED)
        return false;
    bool added;
    uint32_t number = table_add(&h->looks, key, sizeof key, &added);
    if (added)
        h->looked = alloc_grow(h->looked, number, &h->look_room, sizeof *h->looked);
    if (h->looked[number]++ < HUNT_LOOKS)
        return false;
    h->found.left_out++;
    return true;
}

bool hunt_is_open(struct hunt *h, uint32_t signature)
{
    struct hunt_signature *s = &h->known[signature];
    if (s->tries != HUNT_FOUND)
        return s->tries < HUNT_TRIES;
    s->followers++;
    return h->again && !(s->followers & (s->followers - 1));
}

bool hunt_is_found(const struct hunt *h, uint32_t signature)
{
    return h->known[signature].tries == HUNT_FOUND;
}

// The gap between synchronisations that a record stands in, twice the number of the mark if it is one itself.
static uint32_t gap_of(const struct hunt *h, uint32_t record)
{
    const struct marks *marks = &h->m.marks[h->r->records[record].thread];
    uint32_t position = h->m.order.position[record], mark = model_mark_from(marks, position);
    return 2 * mark + (mark < marks->count && marks->at[mark] == position);
}

// A number for the question as the grid sees it: what stands between the same marks in the same order is the same.
static uint32_t model_key(const struct question *q, const struct hunt *h, uint32_t *key)
{
    uint32_t count = 0, asked[2 * MOST_WISHES], asked_count = 0;
    key[count++] = q->threads[0];
    key[count++] = q->threads[1];
    for (uint32_t i = 0; i < q->wish_count; i++) {
        asked[asked_count++] = q->wishes[i].before;
        asked[asked_count++] = q->wishes[i].after;
    }
    for (uint32_t i = 0; i < 2 && !q->wish_count; i++)
        asked[asked_count++] = q->meet[i];
    key[count++] = q->wish_count;
    for (uint32_t i = 0; i < asked_count; i++) {
        uint32_t earlier = 0; // of the others of the same thread: their order within a gap
        for (uint32_t k = 0; k < asked_count; k++)
            earlier |=
                (uint32_t)(h->r->records[asked[k]].thread == h->r->records[asked[i]].thread && asked[k] < asked[i])
                << k;
        key[count++] = gap_of(h, asked[i]);
        key[count++] = earlier;
    }
    return count;
}

bool hunt_question(const struct hunt *h, const struct prediction *p, struct question *q)
{
    *q = (struct question){.wish_count = p->wish_count};
    if (p->kind == PREDICT_TRY && p->record_count == 3) {
        // Sections of a lock exclude each other: the call is to be about to come while the other thread has it.
        const struct record *lock = &h->r->records[p->records[0]];
        q->wish_count = 0;
        q->threads[0] = lock->thread;
        q->threads[1] = h->r->records[p->records[1]].thread;
        q->meet[0] = h->r->threads[lock->thread].records[h->m.order.position[p->records[0]] + 1];
        q->meet[1] = p->records[1];
        return true;
    }
    memcpy(q->wishes, p->wishes, sizeof q->wishes);
    uint32_t first = p->wish_count ? p->wishes[0].before : p->records[0];
    uint32_t second = p->wish_count ? p->wishes[0].after : p->records[1];
    q->threads[0] = h->r->records[first].thread;
    q->threads[1] = h->r->records[second].thread;
    q->meet[0] = first;
    q->meet[1] = second;
    return p->wish_count || p->record_count == 2;
}

// How many points one question may search. All questions together have what grows with the run, so that time does; when that is spent, each
// has a small part of the grid.
static uint64_t points_left(const struct hunt *h)
{
    uint64_t all = HUNT_POINTS + (uint64_t)h->r->count * HUNT_POINTS_A_RECORD;
    uint64_t left = all > h->searched ? all - h->searched : 0;
    return left > GRID_POINTS ? GRID_POINTS : left > HUNT_LEAST_POINTS ? left : HUNT_LEAST_POINTS;
}

bool hunt_ask(struct hunt *h, struct prediction *p, uint32_t signature)
{
    struct question q;
    hunt_question(h, p, &q);
    uint32_t key[3 + 4 * MOST_WISHES];
    uint32_t size = model_key(&q, h, key) * (uint32_t)sizeof *key;
    if (table_find(&h->denied, key, size) != TABLE_NONE)
        return false;
    if (h->known[signature].tries != HUNT_FOUND)
        h->known[signature].tries++;
    h->found.asked++;
    enum feasible answer = reordering_find(&h->m, &q, points_left(h), &p->order);
    h->searched += p->order.points;
    h->found.undecided += answer == FEASIBLE_UNKNOWN;
    if (answer != FEASIBLE_YES) {
        table_add(&h->denied, key, size, NULL);
        return false;
    }
    hunt_take(h, p, signature);
    return true;
}

bool hunt_is_meant(const struct hunt *h, const struct prediction *p)
{
    const struct wish *last = &p->wishes[p->wish_count - 1];
    return order_before(&h->m.order, last->before, last->after);
}

bool hunt_hands_over(const struct hunt *h, const struct prediction *p)
{
    const struct wish *first = &p->wishes[0];
    uint32_t last = p->wishes[p->wish_count - 1].after;
    const struct recorded_thread *t = &h->r->threads[h->r->records[last].thread];
    if (order_before(&h->m.order, first->before, first->after))
        return true;
    for (uint32_t i = h->m.order.position[first->before]; i < h->m.order.position[last]; i++)
        if (h->r->records[t->records[i]].kind == RECORD_WAIT_BEGIN)
            return true;
    return false;
}

bool hunt_may_race(const struct hunt *h, uint32_t a, uint32_t b)
{
    const struct record *e = h->r->records;
    return !(record_table[e[a].kind].atomic && record_table[e[b].kind].atomic) && !hunt_is_guarded(h, a, a, b) &&
           !order_before(&h->m.order, a, b) && !order_before(&h->m.order, b, a);
}

static void keep_later(struct hunt_signature *s, const struct prediction *p)
{
    if (s->later)
        reordering_free(&s->later->order);
    else
        s->later = alloc_zeroed(1, sizeof *s->later);
    *s->later = *p;
    s->later->weak = true;
    s->later->later_than = s->number + 1;
}

void hunt_take(struct hunt *h, const struct prediction *p, uint32_t signature)
{
    struct hunt_signature *s = &h->known[signature];
    if (s->tries == HUNT_FOUND) {
        keep_later(s, p);
        return;
    }
    h->found.possible++;
    s->tries = HUNT_FOUND;
    s->number = h->found.count;
    predictions_add(&h->found, p);
}

void hunt_list_later(struct hunt *h)
{
    for (uint32_t i = 0; i < h->signatures.count; i++)
        if (h->known[i].later) {
            predictions_add(&h->found, h->known[i].later);
            free(h->known[i].later);
            h->known[i].later = NULL;
        }
}

void hunt_range(const struct hunt *h, const struct access_line *line, uint32_t after, uint32_t before, uint32_t *low,
                uint32_t *high)
{
    const struct order *o = &h->m.order;
    uint32_t thread = h->r->records[after].thread;
    uint32_t known = order_needs(o, thread, o->position[after] + 1, line->thread);
    uint32_t from = 0, to = line->count;
    while (from < to) {
        uint32_t middle = (from + to) / 2;
        if (o->position[line->records[middle]] < known)
            from = middle + 1;
        else
            to = middle;
    }
    *low = from;
    for (to = line->count; from < to;) {
        uint32_t middle = (from + to) / 2;
        uint32_t needs = order_needs(o, line->thread, o->position[line->records[middle]] + 1, thread);
        if (needs <= o->position[before])
            from = middle + 1;
        else
            to = middle;
    }
    *high = from;
}

uint32_t hunt_nearest(const struct access_line *line, uint32_t low, uint32_t high, uint32_t record)
{
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (line->records[middle] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t lock_between(const struct hunt *h, uint32_t first, uint32_t second, uint32_t other, bool held_by_both)
{
    const struct record *e = &h->r->records[first], *f = &h->r->records[other];
    const struct section_line *a = &h->m.sections.lines[e->thread], *b = &h->m.sections.lines[f->thread];
    uint32_t theirs = sections_held(&h->m.sections, f->thread, h->m.order.position[other]);
    uint32_t n = sections_held(&h->m.sections, e->thread, h->m.order.position[first]);
    for (; n != NOT_RECORDED; n = a->held[n].below) {
        const struct section *s = &a->sections[a->held[n].section];
        if (!section_spans(s, h->m.order.position[first], h->m.order.position[second]))
            continue;
        bool excludes = false;
        for (uint32_t m = theirs; m != NOT_RECORDED; m = b->held[m].below)
            excludes |= sections_exclude(s, &b->sections[b->held[m].section]);
        if (excludes == held_by_both)
            return s->lock;
    }
    return NOT_RECORDED;
}

bool hunt_is_guarded(const struct hunt *h, uint32_t first, uint32_t second, uint32_t other)
{
    return lock_between(h, first, second, other, true) != NOT_RECORDED;
}

uint32_t hunt_lock_around(const struct hunt *h, uint32_t first, uint32_t second, uint32_t other)
{
    return lock_between(h, first, second, other, false);
}
