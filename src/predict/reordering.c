#include "predict/reordering.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct conductor {
    const struct model *m;
    struct reordering *w;
    uint32_t *done;  // records that each thread has done
    bool *busy;      // the thread is being run: it cannot be asked to run on
    bool *principal; // it runs only as the path says
    bool early; // others do what is needed within a section before the lock is taken, since they may need it as well
};

static bool run_until(struct conductor *c, uint32_t thread, uint32_t done);

// Lets others do what the next record of the thread needs.
static bool fulfil_needs(struct conductor *c, uint32_t thread)
{
    for (uint32_t other = 0; other < c->m->r->thread_count; other++) {
        uint32_t needs = order_needs(&c->m->order, thread, c->done[thread] + 1, other);
        if (other != thread && needs > c->done[other] && (c->principal[other] || !run_until(c, other, needs)))
            return false;
    }
    return true;
}

// The section that the thread's next record begins; null: none.
static const struct section *section_begun(const struct conductor *c, uint32_t thread)
{
    const struct section_line *line = &c->m->sections.lines[thread];
    uint32_t now = sections_held(&c->m->sections, thread, c->done[thread]);
    uint32_t then = sections_held(&c->m->sections, thread, c->done[thread] + 1);
    if (then == NOT_RECORDED || then == now || line->sections[line->held[then].section].from != c->done[thread])
        return NULL;
    return &line->sections[line->held[then].section];
}

// Lets whoever holds the lock let it go.
static bool free_lock(struct conductor *c, uint32_t thread, const struct section *wanted)
{
    for (uint32_t other = 0; other < c->m->r->thread_count; other++) {
        const struct section_line *line = &c->m->sections.lines[other];
        uint32_t node = other == thread ? NOT_RECORDED : sections_held(&c->m->sections, other, c->done[other]);
        for (; node != NOT_RECORDED; node = line->held[node].below) {
            const struct section *held = &line->sections[line->held[node].section];
            if (!sections_exclude(held, wanted))
                continue;
            if (c->principal[other] || held->to == NOT_RECORDED || !run_until(c, other, held->to + 1))
                return false;
            break;
        }
    }
    return true;
}

// Before the thread begins the section: what the section's records up to `done` need of others. What does not work out may do so later.
static void fulfil_ahead(struct conductor *c, uint32_t thread, const struct section *s, uint32_t done)
{
    uint32_t last = s->to != NOT_RECORDED && s->to + 1 < done ? s->to + 1 : done;
    for (uint32_t other = 0; other < c->m->r->thread_count; other++) {
        uint32_t needs = order_needs(&c->m->order, thread, last, other);
        if (other != thread && !c->principal[other] && needs > c->done[other])
            run_until(c, other, needs);
    }
}

// The others that were run for one need may have taken what another needs: all is looked at again until nothing has moved.
static bool make_ready(struct conductor *c, uint32_t thread, uint32_t done)
{
    for (uint32_t before = c->w->count;; before = c->w->count) {
        const struct section *wanted = section_begun(c, thread);
        if (c->early && wanted)
            fulfil_ahead(c, thread, wanted, done);
        if (!fulfil_needs(c, thread) || (wanted && !free_lock(c, thread, wanted)))
            return false;
        if (c->w->count == before)
            return true;
    }
}

// The thread's next record can be done. How far it can go on without looking at others: until it needs something new of them, or
// takes a lock.
static uint32_t free_until(const struct conductor *c, uint32_t thread, uint32_t done)
{
    uint32_t next = c->done[thread] + 1;
    uint32_t needs = order_unchanged(&c->m->order, thread, next),
             held = sections_unchanged(&c->m->sections, thread, next);
    done = needs < done ? needs : done;
    return held < done ? held : done;
}

static bool run_until(struct conductor *c, uint32_t thread, uint32_t done)
{
    struct reordering *w = c->w;
    if (c->busy[thread])
        return false;
    c->busy[thread] = true;
    bool good = true;
    while (good && c->done[thread] < done) {
        good = make_ready(c, thread, done);
        uint32_t until = good ? free_until(c, thread, done) : 0;
        for (; c->done[thread] < until; c->done[thread]++) {
            w->records = alloc_reserve(w->records, w->count + 1, &w->room, sizeof *w->records);
            w->records[w->count++] = c->m->r->threads[thread].records[c->done[thread]];
        }
    }
    c->busy[thread] = false;
    return good;
}

// Makes a run of the path, and if threads are to meet lets others do what their next records need. False: the other threads do not
// let it through.
static bool conduct(const struct model *m, const struct grid_path *path, const bool *principal, bool meet, bool early,
                    struct reordering *w)
{
    uint32_t threads = m->r->thread_count;
    struct conductor c = {.m = m, .w = w, .principal = (bool *)principal, .early = early};
    c.done = alloc_array(threads, sizeof *c.done);
    c.busy = alloc_zeroed(threads, sizeof *c.busy);
    for (uint32_t t = 0; t < threads; t++)
        c.done[t] = model_done_before(m, t, path->start);
    w->start = path->start;
    w->count = 0;
    bool good = true;
    for (uint32_t i = 0; good && i < path->count; i++)
        good = run_until(&c, path->steps[i].thread, path->steps[i].done);
    for (uint32_t t = 0; good && meet && t < threads; t++)
        good = !principal[t] || fulfil_needs(&c, t);
    free(c.done);
    free(c.busy);
    return good;
}

enum feasible reordering_find(const struct model *m, const struct question *q, uint64_t points, struct reordering *w)
{
    bool *principal = alloc_zeroed(m->r->thread_count, sizeof *principal);
    principal[q->threads[0]] = principal[q->threads[1]] = true;
    struct grid_path path = {0};
    *w = (struct reordering){0};
    enum grid_answer answer;
    bool found = false;
    do {
        answer = grid_search(m, q, points, &path);
        found = answer == GRID_YES && (conduct(m, &path, principal, !q->wish_count, false, w) ||
                                       conduct(m, &path, principal, !q->wish_count, true, w));
    } while (answer == GRID_YES && !found && !path.whole);
    uint64_t searched = path.points;
    grid_path_free(&path);
    free(principal);
    if (!found)
        reordering_free(w);
    w->points = searched;
    return found ? FEASIBLE_YES : answer == GRID_NO ? FEASIBLE_NO : FEASIBLE_UNKNOWN;
}

bool reordering_meet(const struct model *m, const uint32_t *order, uint32_t count, struct reordering *w)
{
    bool *principal = alloc_zeroed(m->r->thread_count, sizeof *principal);
    struct grid_path path = {.count = count};
    path.steps = alloc_array(count, sizeof *path.steps);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t thread = m->r->records[order[i]].thread;
        path.steps[i] = (struct grid_step){thread, m->order.position[order[i]]};
        principal[thread] = true;
    }
    *w = (struct reordering){0};
    bool found = conduct(m, &path, principal, true, false, w) || conduct(m, &path, principal, true, true, w);
    free(path.steps);
    free(principal);
    if (!found)
        reordering_free(w);
    return found;
}

void reordering_free(struct reordering *w)
{
    free(w->records);
    *w = (struct reordering){0};
}
