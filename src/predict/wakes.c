#include "predict/wakes.h"

#include <stdlib.h>

#include "base/alloc.h"

// Signals of one condition that may still be taken.
struct pending {
    uint32_t *signals; // records
    size_t count, room;
};

static void keep_wake(struct wakes *w, struct wake wake)
{
    bool added;
    uint32_t number = table_add(&w->by_signal, &wake.by, sizeof wake.by, &added);
    if (added) {
        w->first = alloc_grow(w->first, number, &w->first_room, sizeof *w->first);
        w->first[number] = NOT_RECORDED;
    }
    wake.next = w->first[number];
    w->first[number] = w->count;
    w->wakes = alloc_grow(w->wakes, w->count, &w->room, sizeof *w->wakes);
    w->wakes[w->count++] = wake;
}

// The earliest signal behind `begin`, taken out unless it is a broadcast.
static uint32_t take_signal(struct pending *p, const struct recording *r, uint32_t begin)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->signals[middle] < begin)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->count)
        return NOT_RECORDED;
    uint32_t signal = p->signals[low];
    if (r->records[signal].kind == RECORD_SIGNAL) {
        for (size_t i = low + 1; i < p->count; i++)
            p->signals[i - 1] = p->signals[i];
        p->count--;
    }
    return signal;
}

void wakes_make(struct wakes *w, const struct recording *r)
{
    *w = (struct wakes){0};
    struct pending *pending = alloc_zeroed(r->object_count, sizeof *pending);
    uint32_t *asleep = alloc_array(r->thread_count, sizeof *asleep);      // the beginning of each thread's wait
    uint32_t *sleepers = alloc_zeroed(r->object_count, sizeof *sleepers); // by condition
    for (uint32_t i = 0; i < r->thread_count; i++)
        asleep[i] = NOT_RECORDED;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        if (e->kind == RECORD_WAIT_BEGIN) {
            asleep[e->thread] = i;
            sleepers[e->object]++;
        } else if ((e->kind == RECORD_SIGNAL || e->kind == RECORD_BROADCAST) && sleepers[e->object]) {
            struct pending *p = &pending[e->object];
            p->signals = alloc_grow(p->signals, p->count, &p->room, sizeof *p->signals);
            p->signals[p->count++] = i;
        } else if (e->kind == RECORD_WAIT_END && asleep[e->thread] != NOT_RECORDED) {
            uint32_t begin = asleep[e->thread];
            uint32_t by = e->flags & RECORD_FAILED ? NOT_RECORDED : take_signal(&pending[e->object], r, begin);
            if (by != NOT_RECORDED)
                keep_wake(w, (struct wake){.begin = begin, .end = i, .by = by});
            asleep[e->thread] = NOT_RECORDED;
            if (!--sleepers[e->object])
                pending[e->object].count = 0;
        }
    }
    for (uint32_t i = 0; i < r->object_count; i++)
        free(pending[i].signals);
    free(pending);
    free(asleep);
    free(sleepers);
}

void wakes_free(struct wakes *w)
{
    free(w->wakes);
    free(w->first);
    table_free(&w->by_signal);
}

uint32_t wakes_first(const struct wakes *w, uint32_t signal)
{
    uint32_t number = table_find(&w->by_signal, &signal, sizeof signal);
    return number == TABLE_NONE ? NOT_RECORDED : w->first[number];
}

uint32_t wakes_next(const struct wakes *w, uint32_t wake)
{
    return w->wakes[wake].next;
}

uint32_t wakes_begin(const struct wakes *w, uint32_t wake)
{
    return w->wakes[wake].begin;
}

uint32_t wakes_by(const struct wakes *w, uint32_t end)
{
    uint32_t low = 0, high = w->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (w->wakes[middle].end < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->count && w->wakes[low].end == end ? w->wakes[low].by : NOT_RECORDED;
}
