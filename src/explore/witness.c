#include "explore/witness.h"

#include <string.h>

#include "base/mem.h"
#include "model/exec.h"
#include "model/fingerprint.h"

enum { DEAD_SLOTS = 1 << 14, MOST_TRIES = 1 << 22 };

struct witness {
    uint32_t limit, objects;
    struct witness_event *list;
    uint32_t *looking;              // by event: how many have yet to look at it …
    uint32_t *looking_first;        // … by object: at what was there at first
    uint32_t *writes;               // by object: how many are still to come
    uint32_t *current;              // by object: the event that wrote last, plus 1
    uint32_t *order, *overwrote;    // the events done, and what was current before each
    bool *forced;                   // done without an alternative
    uint32_t first[MAX_ACTORS + 1]; // where the events of each actor begin
    uint32_t done[MAX_ACTORS];      // how many of them are done
    uint32_t actors;
    struct fingerprint weight[MAX_ACTORS]; // of one event of each actor
    struct fingerprint now;                // of `done`
    struct fingerprint dead[DEAD_SLOTS];
    uint32_t dead_in[DEAD_SLOTS], question; // which question each belongs to
};

struct witness *witness_new(uint32_t events, uint32_t objects)
{
    struct witness *w = mem_reserve(sizeof *w);
    w->limit = events + 2;
    for (uint32_t a = 0; a < MAX_ACTORS; a++)
        w->weight[a] = fingerprint_of(a, 1);
    w->objects = objects;
    w->list = mem_reserve(w->limit * sizeof *w->list);
    w->looking = mem_reserve(w->limit * sizeof *w->looking);
    w->order = mem_reserve(w->limit * sizeof *w->order);
    w->overwrote = mem_reserve(w->limit * sizeof *w->overwrote);
    w->forced = mem_reserve(w->limit * sizeof *w->forced);
    w->looking_first = mem_reserve(objects * sizeof *w->looking_first);
    w->writes = mem_reserve(objects * sizeof *w->writes);
    w->current = mem_reserve(objects * sizeof *w->current);
    return w;
}

void witness_free(struct witness *w)
{
    mem_release(w->list, w->limit * sizeof *w->list);
    mem_release(w->looking, w->limit * sizeof *w->looking);
    mem_release(w->order, w->limit * sizeof *w->order);
    mem_release(w->overwrote, w->limit * sizeof *w->overwrote);
    mem_release(w->forced, w->limit * sizeof *w->forced);
    mem_release(w->looking_first, w->objects * sizeof *w->looking_first);
    mem_release(w->writes, w->objects * sizeof *w->writes);
    mem_release(w->current, w->objects * sizeof *w->current);
    mem_release(w, sizeof *w);
}

struct witness_event *witness_list(struct witness *w)
{
    return w->list;
}

const uint32_t *witness_order(const struct witness *w)
{
    return w->order;
}

static bool looks(const struct witness_event *e)
{
    return e->source != WITNESS_BLIND;
}

static uint32_t *looking_at(struct witness *w, uint32_t object, uint32_t source)
{
    return source == WITNESS_INITIAL ? &w->looking_first[object] : &w->looking[source - 1];
}

static void count_events(struct witness *w, const uint32_t *lanes, uint32_t actors)
{
    w->actors = actors;
    w->now = (struct fingerprint){0, 0};
    uint32_t n = 0;
    for (uint32_t a = 0; a < actors; a++) {
        w->first[a] = n;
        w->done[a] = 0;
        n += lanes[a];
    }
    w->first[actors] = n;
    for (uint32_t i = 0; i < n; i++) {
        w->looking[i] = 0;
        w->looking_first[w->list[i].object] = w->writes[w->list[i].object] = w->current[w->list[i].object] = 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct witness_event *e = &w->list[i];
        w->writes[e->object] += e->writes;
        if (looks(e))
            ++*looking_at(w, e->object, e->source);
    }
}

static bool can_come_next(struct witness *w, const struct witness_event *e)
{
    const uint32_t current = w->current[e->object];
    if (looks(e) && e->source != current)
        return false;
    if (e->writes && *looking_at(w, e->object, current) != looks(e))
        return false; // somebody else is still to look at what it overwrites
    for (uint32_t a = 0; a < w->actors; a++)
        if (e->lanes[a] > w->done[a] && a != e->actor)
            return false;
    return true;
}

// Whether doing it takes nothing away from others.
static bool is_harmless(const struct witness *w, uint32_t i)
{
    const struct witness_event *e = &w->list[i];
    return !e->writes || !w->looking[i] || w->writes[e->object] == 1;
}

static inline void count_done(struct witness *w, uint32_t actor, bool back)
{
    const struct fingerprint one = w->weight[actor];
    if (back) {
        w->done[actor]--;
        fingerprint_subtract(&w->now, one);
    } else {
        w->done[actor]++;
        fingerprint_add(&w->now, one);
    }
}

static void put_next(struct witness *w, uint32_t at, uint32_t i)
{
    const struct witness_event *e = &w->list[i];
    w->order[at] = i;
    w->forced[at] = is_harmless(w, i);
    w->overwrote[at] = w->current[e->object];
    if (looks(e))
        --*looking_at(w, e->object, e->source);
    if (e->writes) {
        w->current[e->object] = i + 1;
        w->writes[e->object]--;
    }
    count_done(w, e->actor, false);
}

static void take_back(struct witness *w, uint32_t at)
{
    const struct witness_event *e = &w->list[w->order[at]];
    if (e->writes) {
        w->current[e->object] = w->overwrote[at];
        w->writes[e->object]++;
    }
    if (looks(e))
        ++*looking_at(w, e->object, e->source);
    count_done(w, e->actor, true);
}

// Of those that can come next the first behind `after` in the order of guides; NO_EVENT if there is none.
static uint32_t next_after(struct witness *w, int64_t after)
{
    uint32_t best = NO_EVENT;
    for (uint32_t a = 0; a < w->actors; a++) {
        uint32_t i = w->first[a] + w->done[a];
        if (i == w->first[a + 1] || w->list[i].guide <= after ||
            (best != NO_EVENT && w->list[best].guide < w->list[i].guide) || !can_come_next(w, &w->list[i]))
            continue;
        best = i;
    }
    return best;
}

static uint32_t dead_slot(const struct witness *w)
{
    return (uint32_t)(w->now.low ^ w->now.high >> 32) % DEAD_SLOTS;
}

static bool is_dead(const struct witness *w)
{
    uint32_t slot = dead_slot(w);
    return w->dead_in[slot] == w->question && w->dead[slot].low == w->now.low && w->dead[slot].high == w->now.high;
}

static void remember_dead(struct witness *w)
{
    uint32_t slot = dead_slot(w);
    w->dead_in[slot] = w->question;
    w->dead[slot] = w->now;
}

// Goes back to before the newest event that had an alternative; returns its place in the order, or NO_EVENT.
static uint32_t go_back(struct witness *w, uint32_t at)
{
    while (at-- > 0) {
        take_back(w, at);
        if (!w->forced[at])
            return at;
    }
    return NO_EVENT;
}

enum witness_answer witness_find(struct witness *w, const uint32_t *lanes, uint32_t actors, const uint32_t *root,
                                 uint32_t roots)
{
    count_events(w, lanes, actors);
    w->question++;
    const uint32_t n = w->first[actors];
    uint32_t at = 0, tries = 0;
    int64_t after = -1;
    for (; at < roots; at++) {
        if (!can_come_next(w, &w->list[root[at]]))
            return WITNESS_NONE;
        put_next(w, at, root[at]);
        w->forced[at] = true;
    }
    while (at < n) {
        uint32_t i = next_after(w, after);
        bool tried_before = after < 0 && i != NO_EVENT && !is_harmless(w, i) && is_dead(w);
        if (i != NO_EVENT && !tried_before) {
            put_next(w, at++, i);
            after = -1;
            if (++tries > MOST_TRIES + n)
                return WITNESS_TOO_LONG;
            continue;
        }
        if (i == NO_EVENT)
            remember_dead(w);
        at = go_back(w, at);
        if (at == NO_EVENT)
            return WITNESS_NONE;
        after = w->list[w->order[at]].guide;
    }
    return WITNESS_FOUND;
}
