// Wake-ups that another order loses: the signal comes before the wait that it ended in the recorded run, and the thread waits for ever.
//
// order.h has a wait begin before the signal that ends it. Here this is left out, and the question is whether the signal can come
// first. A thread that looks at a predicate on its way to the wait comes there only if it finds what it found in the recorded run. So
// what it read there, and the thread that signals writes, has to be read before it is written. Where the predicate is changed
// under the mutex, and looked at under the same mutex before the wait, no order does all of that: such programs are not accused. What is left are
// waits behind a look without the mutex, or behind none, changes without the mutex, and signals ahead of the change.
//
// Which of the variables are the predicate is not known. So if predictions are tried, the same is asked with less of what
// was read, too; that, and a wake-up behind which others may come, says nothing unless the run hangs. A wait with a time-out ends by itself
// and is left out. A broadcast that ended several waits is asked about each of them. A signal may also be lost to another thread that waits on
// the same condition variable, for something else; that, too, says nothing unless the run hangs.
#include "predict/prediction_hunt.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "predict/wakes.h"

enum {
    MOST_LOOKS = 3,        // at variables on the way to a wait
    LOOKS_BACK = 256,      // records before the wait that are searched for them
    WAKES_NEAR = 8,        // waits of others that are held against one
    WRITTEN = 16,          // variables that the thread writes after it read them, and so does not wait for
    SIGNALS_AHEAD = 100000 // records behind a signal that are searched for others
};

// A read on the way to the wait, and the other thread's first write after it.
struct look {
    uint32_t read, write;
};

struct lost_hunt {
    struct hunt *h;
    struct wakes wakes;
    uint32_t *last_signal; // by object
    bool unlikely;         // ask with less of what was read
};

// Up to which position the signalling thread has to come for others to have its locks, too.
static uint32_t end_of_sections(const struct hunt *h, uint32_t record)
{
    uint32_t thread = h->r->records[record].thread, end = h->m.order.position[record];
    const struct section_line *line = &h->m.sections.lines[thread];
    for (uint32_t n = sections_held(&h->m.sections, thread, end); n != NOT_RECORDED; n = line->held[n].below) {
        uint32_t to = line->sections[line->held[n].section].to;
        end = to != NOT_RECORDED && to > end ? to : end;
    }
    return end;
}

// The thread's first write of the variable that was recorded after the read, if it stands up to this position; NOT_RECORDED: there is none.
static uint32_t write_after(const struct hunt *h, uint32_t read, uint32_t thread, uint32_t last)
{
    uint32_t count;
    const struct access_line *lines = accesses_lines(&h->accesses, h->r->records[read].object, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct access_line *line = &lines[i];
        if (line->thread != thread || !line->writes)
            continue;
        for (uint32_t k = hunt_nearest(line, 0, line->count, read);
             k < line->count && h->m.order.position[line->records[k]] <= last; k++)
            if (record_writes(&h->r->records[line->records[k]]))
                return line->records[k];
    }
    return NOT_RECORDED;
}

static bool is_among(const uint32_t *list, uint32_t count, uint32_t one)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == one)
            return true;
    return false;
}

// What the thread has read on its way to the wait, and the signalling one writes: the last read of each variable. What it has written
// since is not what it waits for.
static uint32_t find_looks(const struct hunt *h, uint32_t begin, uint32_t signal, struct look *looks)
{
    const struct recorded_thread *t = &h->r->threads[h->r->records[begin].thread];
    uint32_t seen[WRITTEN], seen_count = 0, count = 0, at = h->m.order.position[begin];
    uint32_t least = at > LOOKS_BACK ? at - LOOKS_BACK : 0, last = end_of_sections(h, signal);
    while (at-- > least && count < MOST_LOOKS && seen_count < WRITTEN) {
        const struct record *e = &h->r->records[t->records[at]];
        if (e->kind == RECORD_WAIT_END && e->object == h->r->records[begin].object)
            break;
        if (!record_table[e->kind].access || is_among(seen, seen_count, e->object))
            continue;
        uint32_t write =
            record_writes(e) ? NOT_RECORDED : write_after(h, t->records[at], h->r->records[signal].thread, last);
        if (write != NOT_RECORDED)
            looks[count++] = (struct look){t->records[at], write};
        if (write != NOT_RECORDED || record_writes(e))
            seen[seen_count++] = e->object;
    }
    return count;
}

// Whether another signal of the condition may come once the thread waits.
static bool others_may_come(const struct lost_hunt *l, uint32_t wake)
{
    const struct recording *r = l->h->r;
    const struct wake *w = &l->wakes.wakes[wake];
    uint32_t last = l->last_signal[r->records[w->by].object];
    if (last - w->by > SIGNALS_AHEAD)
        return true;
    for (uint32_t i = w->by + 1; i <= last; i++) {
        const struct record *e = &r->records[i];
        if ((e->kind == RECORD_SIGNAL || e->kind == RECORD_BROADCAST) && e->object == r->records[w->by].object &&
            e->thread != r->records[w->begin].thread && !order_before(&l->h->m.order, w->end, i))
            return true;
    }
    return false;
}

// Whether it is possible, or known to be, with these of the looks, a bit each.
static bool ask(struct lost_hunt *l, uint32_t wake, const struct look *looks, uint32_t which, bool weak)
{
    const struct wake *w = &l->wakes.wakes[wake];
    struct prediction p = {.kind = PREDICT_LOST_WAKE,
                           .records = {w->by, w->begin},
                           .record_count = 2,
                           .wishes = {{w->by, w->begin}},
                           .wish_count = 1,
                           .forgets = true,
                           .lock = NOT_RECORDED,
                           .weak = weak};
    for (uint32_t i = 0; i < MOST_LOOKS; i++) {
        if (!(which >> i & 1))
            continue;
        p.wishes[p.wish_count++] = (struct wish){looks[i].read, looks[i].write};
        p.records[p.record_count++] = looks[i].read;
        p.records[p.record_count++] = looks[i].write;
    }
    uint32_t signature = hunt_signature(l->h, &p);
    bool asked = hunt_is_open(l->h, signature) && hunt_ask(l->h, &p, signature);
    return asked || hunt_is_found(l->h, signature);
}

static void try_wake(struct lost_hunt *l, uint32_t wake)
{
    struct hunt *h = l->h;
    const struct wake *w = &l->wakes.wakes[wake];
    const struct record *begin = &h->r->records[w->begin], *by = &h->r->records[w->by];
    if (begin->thread == by->thread || begin->flags & RECORD_TRIED ||
        hunt_is_worn(h, PREDICT_LOST_WAKE, w->by, w->begin, begin->thread))
        return;
    bool weak = others_may_come(l, wake);
    if (weak && !l->unlikely)
        return;
    struct look looks[MOST_LOOKS];
    uint32_t count = find_looks(h, w->begin, w->by, looks), all = (1u << count) - 1;
    struct order_forgotten f;
    order_forget_wake(&h->m.order, &l->wakes, wake, &f);
    bool found = ask(l, wake, looks, all, weak);
    for (uint32_t i = 0; l->unlikely && count > 1 && i < count; i++)
        found = found || ask(l, wake, looks, 1u << i, true);
    if (l->unlikely && count && !found)
        ask(l, wake, looks, 0, true);
    order_recall(&h->m.order, &f);
}

// A signal that ended one thread's wait ends another's, which waits for something else and so waits again: if that one has begun first. Only
// the run can say what they wait for.
static void try_other_waiter(struct lost_hunt *l, uint32_t wake, uint32_t other)
{
    const struct wake *w = &l->wakes.wakes[wake], *o = &l->wakes.wakes[other];
    const struct record *records = l->h->r->records;
    struct prediction p = {.kind = PREDICT_LOST_WAKE,
                           .records = {w->by, w->begin, o->begin},
                           .record_count = 3,
                           .wishes = {{o->begin, w->begin}},
                           .wish_count = 1,
                           .lock = NOT_RECORDED,
                           .weak = true};
    if (records[w->by].kind != RECORD_SIGNAL || o->by == w->by ||
        records[o->begin].object != records[w->begin].object || records[o->begin].thread == records[w->begin].thread ||
        records[o->begin].thread == records[w->by].thread)
        return;
    uint32_t signature = hunt_signature(l->h, &p);
    if (hunt_is_open(l->h, signature))
        hunt_ask(l->h, &p, signature);
}

static void try_other_waiters(struct lost_hunt *l, uint32_t wake)
{
    const struct wake *w = &l->wakes.wakes[wake];
    if (hunt_is_worn(l->h, PREDICT_LOST_WAKE, w->begin, w->by, w->begin))
        return;
    uint32_t from = wake > WAKES_NEAR ? wake - WAKES_NEAR : 0;
    for (uint32_t i = from; i < l->wakes.count && i <= wake + WAKES_NEAR; i++)
        try_other_waiter(l, wake, i);
}

void hunt_lost_wakes(struct hunt *h, bool unlikely)
{
    struct lost_hunt l = {.h = h, .unlikely = unlikely};
    wakes_make(&l.wakes, h->r);
    l.last_signal = alloc_zeroed(h->r->object_count, sizeof *l.last_signal);
    for (uint32_t i = 0; l.wakes.count && i < h->r->count; i++)
        if (h->r->records[i].kind == RECORD_SIGNAL || h->r->records[i].kind == RECORD_BROADCAST)
            l.last_signal[h->r->records[i].object] = i;
    for (uint32_t i = 0; i < l.wakes.count; i++)
        try_wake(&l, i);
    for (uint32_t i = 0; unlikely && i < l.wakes.count; i++)
        try_other_waiters(&l, i);
    free(l.last_signal);
    wakes_free(&l.wakes);
}
