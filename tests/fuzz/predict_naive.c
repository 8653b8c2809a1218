#include "fuzz/predict_naive.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool ends_wait(const struct recording *r, uint32_t i)
{
    return r->records[i].kind == RECORD_WAIT_END && !(r->records[i].flags & RECORD_FAILED);
}

static uint32_t wait_begin(const struct recording *r, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;)
        if (r->records[i].thread == r->records[end].thread)
            return i;
    return end;
}

// Signals and the waits that they end: each end takes the first signal since its beginning that is left.
static void add_wakes(struct naive_run *n)
{
    const struct recording *r = n->r;
    bool taken[NAIVE_RECORDS] = {false};
    for (uint32_t end = 0; end < r->count; end++) {
        if (!ends_wait(r, end))
            continue;
        uint32_t begin = wait_begin(r, end);
        for (uint32_t s = begin; s < end; s++) {
            const struct record *e = &r->records[s];
            bool signals = e->kind == RECORD_SIGNAL || e->kind == RECORD_BROADCAST;
            if (!signals || e->object != r->records[end].object || taken[s])
                continue;
            taken[s] = e->kind == RECORD_SIGNAL;
            n->before[begin][s] = n->before[s][end] = true;
            break;
        }
    }
}

// Whether the one semaphore of these runs has a token at the beginning, and in each thread takes and posts follow each other, a take first.
static bool is_lock(const struct recording *r)
{
    int32_t inside[NAIVE_THREADS] = {0};
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        if (e->kind != RECORD_TAKE && e->kind != RECORD_POST)
            continue;
        inside[e->thread] += e->kind == RECORD_TAKE ? 1 : -1;
        if (r->objects[e->object].initial != 1 || inside[e->thread] < 0 || inside[e->thread] > 1)
            return false;
    }
    return true;
}

static void add_tokens(struct naive_run *n)
{
    const struct recording *r = n->r;
    uint32_t taken = 0;
    n->semaphore_locks = is_lock(r);
    if (n->semaphore_locks)
        return;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        if (e->kind != RECORD_TAKE)
            continue;
        uint32_t posts = 0, wanted = ++taken;
        for (uint32_t p = 0; p < r->count; p++)
            if (r->records[p].kind == RECORD_POST && ++posts + r->objects[e->object].initial == wanted)
                n->before[p][i] = true;
    }
}

// All atomics of these runs acquire and release, and those that write are one release sequence each.
static void add_reads(struct naive_run *n, uint32_t without)
{
    const struct recording *r = n->r;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        if (!record_table[e->kind].atomic || !record_table[e->kind].reads || e->object == without)
            continue;
        for (uint32_t w = i; w-- > 0;) {
            const struct record *f = &r->records[w];
            if (!record_table[f->kind].atomic || !record_table[f->kind].writes || f->object != e->object)
                continue;
            n->before[w][i] = true;
            if (f->kind == RECORD_ATOMIC_WRITE)
                break;
        }
    }
}

void naive_make_without(struct naive_run *n, const struct recording *r, uint32_t variable)
{
    memset(n, 0, sizeof *n);
    n->r = r;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        for (uint32_t k = 0; k < i; k++) {
            const struct record *f = &r->records[k];
            bool same = f->thread == e->thread;
            n->position[i] += same;
            n->before[k][i] = same || (f->kind == RECORD_CREATE && f->object == e->thread) ||
                              (e->kind == RECORD_JOIN && e->object == f->thread) ||
                              (f->kind == RECORD_BARRIER_ENTER && e->kind == RECORD_BARRIER_LEAVE);
        }
    }
    add_wakes(n);
    add_tokens(n);
    add_reads(n, variable);
}

void naive_make(struct naive_run *n, const struct recording *r)
{
    naive_make_without(n, r, NOT_RECORDED);
}

bool naive_wakes(const struct naive_run *n, uint32_t signal, uint32_t begin)
{
    return n->r->records[begin].kind == RECORD_WAIT_BEGIN &&
           n->r->records[signal].thread != n->r->records[begin].thread && n->before[begin][signal] &&
           (n->r->records[signal].kind == RECORD_SIGNAL || n->r->records[signal].kind == RECORD_BROADCAST);
}

void naive_make_losing(struct naive_run *losing, const struct naive_run *n, uint32_t signal, uint32_t begin)
{
    *losing = *n;
    losing->before[begin][signal] = false;
}

void naive_make_forgetting(struct naive_run *forgetting, const struct naive_run *n, uint32_t record)
{
    *forgetting = *n;
    for (uint32_t i = 0; i < n->r->count; i++)
        if (n->r->records[i].thread != n->r->records[record].thread)
            forgetting->before[i][record] = false;
}

struct naive_state {
    uint8_t done[NAIVE_THREADS];
};

// How the thread holds the lock: 0, 1 shared, 2 for itself.
static int holds(const struct naive_run *n, uint32_t thread, uint32_t done, uint32_t lock)
{
    int how = 0;
    for (uint32_t i = 0; i < done; i++) {
        const struct record *e = &n->r->records[n->r->threads[thread].records[i]];
        bool waits = e->kind == RECORD_WAIT_BEGIN || e->kind == RECORD_WAIT_END;
        if ((waits ? e->other : e->object) != lock)
            continue;
        if (e->kind == RECORD_LOCK || e->kind == RECORD_WAIT_END || e->kind == RECORD_TAKE)
            how = 2;
        if (e->kind == RECORD_LOCK_SHARED)
            how = 1;
        if (e->kind == RECORD_UNLOCK || e->kind == RECORD_WAIT_BEGIN || e->kind == RECORD_POST)
            how = 0;
    }
    return how;
}

static bool is_done(const struct naive_run *n, const struct naive_state *s, uint32_t record)
{
    return n->position[record] < s->done[n->r->records[record].thread];
}

static bool takes_lock(const struct naive_run *n, const struct record *e)
{
    return e->kind == RECORD_LOCK || e->kind == RECORD_LOCK_SHARED || e->kind == RECORD_WAIT_END ||
           (e->kind == RECORD_TAKE && n->semaphore_locks);
}

static bool lock_is_free(const struct naive_run *n, const struct naive_state *s, uint32_t thread, uint32_t record)
{
    const struct record *e = &n->r->records[record];
    bool takes = takes_lock(n, e);
    uint32_t lock = e->kind == RECORD_WAIT_END ? e->other : e->object;
    for (uint32_t t = 0; takes && t < n->r->thread_count; t++) {
        int how = t == thread ? 0 : holds(n, t, s->done[t], lock);
        if (how == 2 || (how == 1 && e->kind != RECORD_LOCK_SHARED))
            return false;
    }
    return true;
}

static bool can_do(const struct naive_run *n, const struct naive_state *s, uint32_t thread)
{
    if (s->done[thread] == n->r->threads[thread].count)
        return false;
    uint32_t record = n->r->threads[thread].records[s->done[thread]];
    for (uint32_t i = 0; i < n->r->count; i++)
        if (n->before[i][record] && !is_done(n, s, i))
            return false;
    return lock_is_free(n, s, thread, record);
}

struct naive_search {
    const struct naive_run *n;
    const uint32_t (*pairs)[2];
    uint32_t pair_count;
    const uint32_t *next;
    uint32_t next_count;
    bool stuck;
    struct table seen;
};

static bool keeps_pairs(const struct naive_search *f, const struct naive_state *s)
{
    for (uint32_t i = 0; i < f->pair_count; i++)
        if (is_done(f->n, s, f->pairs[i][1]) && !is_done(f->n, s, f->pairs[i][0]))
            return false;
    return true;
}

static bool is_goal(const struct naive_search *f, const struct naive_state *s)
{
    for (uint32_t i = 0; i < f->pair_count; i++)
        if (!is_done(f->n, s, f->pairs[i][1]))
            return false;
    for (uint32_t i = 0; i < f->next_count; i++) {
        uint32_t thread = f->n->r->records[f->next[i]].thread;
        if (s->done[thread] != f->n->position[f->next[i]])
            return false;
        for (uint32_t k = 0; k < f->n->r->count; k++)
            if (f->n->before[k][f->next[i]] && !is_done(f->n, s, k))
                return false;
        bool waits = f->stuck && takes_lock(f->n, &f->n->r->records[f->next[i]]);
        if (waits == lock_is_free(f->n, s, thread, f->next[i]))
            return false;
    }
    return true;
}

static bool search_from(struct naive_search *f, struct naive_state s)
{
    bool added;
    table_add(&f->seen, &s, sizeof s, &added);
    if (!added || !keeps_pairs(f, &s))
        return false;
    if (is_goal(f, &s))
        return true;
    for (uint32_t t = 0; t < f->n->r->thread_count; t++)
        if (can_do(f->n, &s, t)) {
            struct naive_state then = s;
            then.done[t]++;
            if (search_from(f, then))
                return true;
        }
    return false;
}

bool naive_possible(const struct naive_run *n, const uint32_t (*pairs)[2], uint32_t count)
{
    struct naive_search f = {.n = n, .pairs = pairs, .pair_count = count};
    bool found = search_from(&f, (struct naive_state){{0}});
    table_free(&f.seen);
    return found;
}

bool naive_meets(const struct naive_run *n, const uint32_t *next, uint32_t count, bool stuck)
{
    struct naive_search f = {.n = n, .next = next, .next_count = count, .stuck = stuck};
    bool found = search_from(&f, (struct naive_state){{0}});
    table_free(&f.seen);
    return found;
}

bool naive_is_run(const struct naive_run *n, uint32_t start, const uint32_t *records, uint32_t count)
{
    struct naive_state s = {{0}};
    for (uint32_t i = 0; i < start + count; i++) {
        uint32_t record = i < start ? i : records[i - start];
        uint32_t thread = n->r->records[record].thread;
        if (n->position[record] != s.done[thread] || !can_do(n, &s, thread))
            return false;
        s.done[thread]++;
    }
    return true;
}

// How record `record` wants its lock: 1 shared, 2 for itself.
static int wants(const struct record *e, uint32_t *lock)
{
    *lock = e->kind == RECORD_WAIT_END ? e->other : e->object;
    return e->kind == RECORD_LOCK_SHARED ? 1 : 2;
}

bool naive_stuck_pair(const struct naive_run *n, uint32_t a, uint32_t b)
{
    uint32_t first, second;
    int first_wants = wants(&n->r->records[a], &first), second_wants = wants(&n->r->records[b], &second);
    int first_holds = holds(n, n->r->records[a].thread, n->position[a], second);
    int second_holds = holds(n, n->r->records[b].thread, n->position[b], first);
    bool stuck = first_holds && second_holds && first_holds + second_wants > 2 && second_holds + first_wants > 2;
    uint32_t next[2] = {a, b};
    return stuck && naive_meets(n, next, 2, true);
}
