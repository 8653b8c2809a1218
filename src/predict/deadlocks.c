// Deadlocks from the order in which locks are taken.
//
// A request is a thread that holds some locks and takes another. Requests of different threads that go round in a circle, each for a
// lock that the next one holds, are a deadlock if all threads can come to their requests at the same time. Locks that all of them
// hold (gates) forbid that; so may joins, signals and other locks on the way. For two threads the grid search decides; for more, the
// threads are run to their requests one after the other, in each order.
#include "predict/prediction_hunt.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { LONGEST = 4, REQUESTS_ALIKE = 8 };

// Section number `section` of the thread was asked for while others were held.
struct request {
    uint32_t thread, section, record;
};

struct ring {
    struct hunt *h;
    struct request *requests;
    uint32_t count;
    size_t room;
    uint32_t *first; // by lock that is held: newest entry of `holding`
    struct holding {
        uint32_t request, next;
    } * holding;
    uint32_t holding_count;
    size_t holding_room;
    uint32_t chain[LONGEST];
};

static const struct section *section_of(const struct ring *g, const struct request *q)
{
    return &g->h->m.sections.lines[q->thread].sections[q->section];
}

// The section of the lock that the thread holds while it makes its request; null: it does not.
static const struct section *held_at(const struct ring *g, const struct request *q, uint32_t lock)
{
    const struct section_line *line = &g->h->m.sections.lines[q->thread];
    for (uint32_t n = section_of(g, q)->held; n != NOT_RECORDED; n = line->held[n].below)
        if (line->sections[line->held[n].section].lock == lock)
            return &line->sections[line->held[n].section];
    return NULL;
}

static void add_request(struct ring *g, uint32_t thread, uint32_t section)
{
    const struct section_line *line = &g->h->m.sections.lines[thread];
    const struct section *s = &line->sections[section];
    g->requests = alloc_grow(g->requests, g->count, &g->room, sizeof *g->requests);
    g->requests[g->count] = (struct request){thread, section, g->h->r->threads[thread].records[s->from]};
    for (uint32_t n = s->held; n != NOT_RECORDED; n = line->held[n].below) {
        uint32_t lock = line->sections[line->held[n].section].lock;
        g->holding = alloc_grow(g->holding, g->holding_count, &g->holding_room, sizeof *g->holding);
        g->holding[g->holding_count] = (struct holding){g->count, g->first[lock]};
        g->first[lock] = g->holding_count++;
    }
    g->count++;
}

// Requests of a thread with the same lock, place and locks held are alike: a few of them are enough.
static void collect_requests(struct ring *g)
{
    struct table kinds = {0};
    uint32_t *times = NULL;
    size_t room = 0;
    for (uint32_t t = 0; t < g->h->r->thread_count; t++) {
        const struct section_line *line = &g->h->m.sections.lines[t];
        for (uint32_t i = 0; i < line->count; i++) {
            const struct section *s = &line->sections[i];
            uint32_t record = g->h->r->threads[t].records[s->from];
            if (s->held == NOT_RECORDED || g->h->r->records[record].flags & RECORD_TRIED)
                continue; // a try call waits for nobody
            uint32_t key[3 + 8] = {t, s->lock, g->h->r->records[record].place}, depth = 3;
            for (uint32_t n = s->held; n != NOT_RECORDED && depth < 11; n = line->held[n].below)
                key[depth++] = line->sections[line->held[n].section].lock;
            bool added;
            uint32_t kind = table_add(&kinds, key, sizeof key, &added);
            if (added)
                times = alloc_grow(times, kind, &room, sizeof *times);
            if (times[kind]++ < REQUESTS_ALIKE)
                add_request(g, t, i);
            else
                g->h->found.left_out++;
        }
    }
    free(times);
    table_free(&kinds);
}

// Whether a new member of the chain goes with those before it: another thread, no lock that excludes both (a gate).
static bool fits(const struct ring *g, uint32_t length, uint32_t candidate)
{
    const struct request *q = &g->requests[candidate];
    const struct section_line *line = &g->h->m.sections.lines[q->thread];
    for (uint32_t i = 0; i < length; i++) {
        const struct request *before = &g->requests[g->chain[i]];
        if (before->thread == q->thread || order_before(&g->h->m.order, before->record, q->record) ||
            order_before(&g->h->m.order, q->record, before->record))
            return false;
        for (uint32_t n = section_of(g, q)->held; n != NOT_RECORDED; n = line->held[n].below) {
            const struct section *mine = &line->sections[line->held[n].section];
            const struct section *theirs = held_at(g, before, mine->lock);
            if (theirs && sections_exclude(mine, theirs))
                return false;
        }
    }
    return true;
}

// Several threads: all orders in which they come to their requests.
static bool meet_in_some_order(struct ring *g, uint32_t *records, uint32_t count, uint32_t from, struct reordering *w)
{
    if (from == count)
        return reordering_meet(&g->h->m, records, count, w);
    for (uint32_t i = from; i < count; i++) {
        uint32_t old = records[from];
        records[from] = records[i];
        records[i] = old;
        if (meet_in_some_order(g, records, count, from + 1, w))
            return true;
        records[i] = records[from];
        records[from] = old;
    }
    return false;
}

static void try_ring(struct ring *g, uint32_t length)
{
    struct hunt *h = g->h;
    struct prediction p = {.kind = PREDICT_DEADLOCK, .record_count = length, .lock = NOT_RECORDED};
    for (uint32_t i = 0; i < length; i++)
        p.records[i] = g->requests[g->chain[i]].record;
    uint32_t signature = hunt_signature(h, &p);
    if (!hunt_is_open(h, signature))
        return;
    if (length == 2) {
        hunt_ask(h, &p, signature);
        return;
    }
    uint32_t records[LONGEST];
    for (uint32_t i = 0; i < length; i++)
        records[i] = p.records[i];
    h->found.asked++;
    if (meet_in_some_order(g, records, length, 0, &p.order))
        hunt_take(h, &p, signature);
    else
        h->found.undecided++;
}

// Goes on from the chain's last request to those that hold the lock it wants. The first has the lowest number, so that each ring
// is found once.
static void extend(struct ring *g, uint32_t length)
{
    const struct request *last = &g->requests[g->chain[length - 1]];
    const struct section *wanted = section_of(g, last);
    const struct section *first_holds = held_at(g, &g->requests[g->chain[0]], wanted->lock);
    if (length > 1 && first_holds && sections_exclude(first_holds, wanted))
        try_ring(g, length);
    for (uint32_t i = g->first[wanted->lock]; length < LONGEST && i != NOT_RECORDED; i = g->holding[i].next) {
        uint32_t next = g->holding[i].request;
        const struct section *held = held_at(g, &g->requests[next], wanted->lock);
        if (next <= g->chain[0] || !sections_exclude(held, wanted) || !fits(g, length, next))
            continue;
        g->chain[length] = next;
        extend(g, length + 1);
    }
}

void hunt_deadlocks(struct hunt *h)
{
    struct ring g = {.h = h, .first = alloc_array(h->r->object_count, sizeof *g.first)};
    for (uint32_t i = 0; i < h->r->object_count; i++)
        g.first[i] = NOT_RECORDED;
    collect_requests(&g);
    for (uint32_t i = 0; i < g.count; i++) {
        g.chain[0] = i;
        extend(&g, 1);
    }
    free(g.first);
    free(g.requests);
    free(g.holding);
}
