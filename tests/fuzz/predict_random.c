#include "fuzz/predict_random.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { VARIABLES = 3, LOCKS = 3, CONDITIONS = 2, SEMAPHORES = 1, MOST = 14, THREADS = 5 };

struct random {
    uint64_t state;
};

static uint32_t below(struct random *r, uint32_t limit)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)((r->state * 0x2545f4914f6cdd1du) >> 33) % limit;
}

struct instruction {
    enum record_kind kind;
    uint32_t object, other;
};

struct code {
    struct instruction list[4 * MOST];
    uint32_t count;
    bool semaphore_locks; // the semaphore is used as a lock
};

static void add(struct code *c, enum record_kind kind, uint32_t object, uint32_t other)
{
    if (c->count < MOST)
        c->list[c->count++] = (struct instruction){kind, object, other};
}

static void add_access(struct random *random, struct code *c)
{
    static const enum record_kind kinds[] = {RECORD_READ,        RECORD_WRITE,        RECORD_READ,      RECORD_WRITE,
                                             RECORD_ATOMIC_READ, RECORD_ATOMIC_WRITE, RECORD_ATOMIC_RMW};
    uint32_t which = below(random, 40);
    enum record_kind kind = which >= 6 ? kinds[which % 4] : kinds[which % 7];
    add(c, kind, record_table[kind].atomic ? VARIABLES : below(random, VARIABLES - 1 - below(random, 2)), 0);
}

// A few accesses, sections and calls; sections within nest, with locks that `held` does not have.
static void add_body(struct random *random, struct code *c, uint32_t held, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        uint32_t lock = below(random, LOCKS), what = below(random, 24);
        bool mine = held >> lock & 1;
        if (what < 4 && held & 1) {
            uint32_t condition = below(random, CONDITIONS);
            add(c, RECORD_WAIT_BEGIN, condition, 0);
            add(c, RECORD_WAIT_END, condition, 0);
        } else if (what < 8 && !mine) {
            add(c, lock == 2 && below(random, 2) ? RECORD_LOCK_SHARED : RECORD_LOCK, lock, 0);
            add_body(random, c, held | 1u << lock, 1 + below(random, 3));
            add(c, RECORD_UNLOCK, lock, 0);
        } else if (what == 8 || what == 9) {
            add(c, below(random, 3) ? RECORD_SIGNAL : RECORD_BROADCAST, below(random, CONDITIONS), 0);
        } else if (what == 10 && c->semaphore_locks) {
            if (held >> LOCKS & 1)
                continue;
            add(c, RECORD_TAKE, 0, 0);
            add_body(random, c, held | 1u << LOCKS, 1 + below(random, 3));
            add(c, RECORD_POST, 0, 0);
        } else if (what == 10) {
            add(c, below(random, 2) ? RECORD_POST : RECORD_TAKE, 0, 0);
        } else {
            add_access(random, c);
        }
    }
}

struct machine {
    struct recording *r;
    struct random random;
    struct code code[THREADS];
    uint32_t threads, at[THREADS];
    bool created[THREADS], asleep[THREADS], woken[THREADS];
    int owner[LOCKS], sharers[LOCKS], tokens;
    uint32_t object[LOCKS], condition[CONDITIONS], semaphore, variable[VARIABLES + 1], barrier;
    uint32_t came; // to the barrier, which opens once
};

static bool can_go(const struct machine *m, uint32_t t)
{
    if (!m->created[t] || m->at[t] == m->code[t].count)
        return false;
    const struct instruction *i = &m->code[t].list[m->at[t]];
    switch (i->kind) {
    case RECORD_LOCK:
        return m->owner[i->object] < 0 && !m->sharers[i->object];
    case RECORD_LOCK_SHARED:
        return m->owner[i->object] < 0;
    case RECORD_WAIT_END:
        return m->woken[t] && m->owner[i->other] < 0 && !m->sharers[i->other];
    case RECORD_TAKE:
        return m->tokens > 0;
    case RECORD_BARRIER_LEAVE:
        return m->came == m->threads;
    case RECORD_JOIN:
        return m->at[i->object] == m->code[i->object].count;
    default:
        return true;
    }
}

static void wake(struct machine *m, uint32_t condition, bool all)
{
    for (uint32_t t = 0; t < m->threads; t++)
        if (m->asleep[t] && !m->woken[t] && m->code[t].list[m->at[t]].object == condition) {
            m->woken[t] = true;
            if (!all)
                return;
        }
}

static uint32_t object_in(const struct machine *m, const struct instruction *i)
{
    if (record_table[i->kind].access)
        return m->variable[i->object];
    if (i->kind == RECORD_LOCK || i->kind == RECORD_LOCK_SHARED || i->kind == RECORD_UNLOCK)
        return m->object[i->object];
    if (i->kind == RECORD_POST || i->kind == RECORD_TAKE)
        return m->semaphore;
    if (i->kind == RECORD_BARRIER_ENTER || i->kind == RECORD_BARRIER_LEAVE)
        return m->barrier;
    return i->kind == RECORD_CREATE || i->kind == RECORD_JOIN ? i->object : m->condition[i->object];
}

static void record_step(struct machine *m, uint32_t t, const struct instruction *i)
{
    struct record e = {.kind = (uint8_t)i->kind, .thread = (uint16_t)t, .object = object_in(m, i)};
    bool waits = i->kind == RECORD_WAIT_BEGIN || i->kind == RECORD_WAIT_END;
    e.other = waits ? m->object[i->other] : 0;
    struct recorded_place place = {.file = "random.c", .line = 100 * (t + 1) + m->at[t]};
    e.place = recording_place(m->r, &place);
    if (record_table[i->kind].atomic)
        e.flags = RECORD_ACQUIRE | RECORD_RELEASES;
    recording_add(m->r, e);
}

static void go(struct machine *m, uint32_t t)
{
    const struct instruction *i = &m->code[t].list[m->at[t]];
    record_step(m, t, i);
    m->at[t]++;
    switch (i->kind) {
    case RECORD_LOCK:
        m->owner[i->object] = (int)t;
        break;
    case RECORD_LOCK_SHARED:
        m->sharers[i->object]++;
        break;
    case RECORD_UNLOCK:
        if (m->owner[i->object] == (int)t)
            m->owner[i->object] = -1;
        else
            m->sharers[i->object]--;
        break;
    case RECORD_WAIT_BEGIN:
        m->owner[i->other] = -1;
        m->asleep[t] = true;
        break;
    case RECORD_WAIT_END:
        m->owner[i->other] = (int)t;
        m->asleep[t] = m->woken[t] = false;
        break;
    case RECORD_SIGNAL:
    case RECORD_BROADCAST:
        wake(m, i->object, i->kind == RECORD_BROADCAST);
        break;
    case RECORD_POST:
    case RECORD_TAKE:
        m->tokens += i->kind == RECORD_POST ? 1 : -1;
        break;
    case RECORD_BARRIER_ENTER:
        m->came++;
        break;
    case RECORD_CREATE:
        m->created[i->object] = true;
        break;
    default:
        break;
    }
}

static void name_objects(struct machine *m)
{
    struct recorded_block block = {.kind = BLOCK_GLOBAL, .place = NOT_RECORDED, .thread = NOT_RECORDED};
    const char *names[] = {"x", "y", "z", "flag", "a", "b", "rw", "c", "d", "s", "gate"};
    uint32_t blocks[sizeof names / sizeof *names];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        block.name = names[i];
        blocks[i] = recording_block(m->r, &block);
    }
    uint32_t *next = blocks;
    for (int i = 0; i <= VARIABLES; i++)
        m->variable[i] = recording_variable(m->r, *next++, 0, 4);
    for (int i = 0; i < LOCKS; i++)
        m->object[i] = recording_object(m->r, OBJECT_MUTEX, *next++, 0);
    for (int i = 0; i < CONDITIONS; i++)
        m->condition[i] = recording_object(m->r, OBJECT_CONDITION, *next++, 0);
    m->semaphore = recording_object(m->r, OBJECT_SEMAPHORE, *next++, 0);
    m->barrier = recording_object(m->r, OBJECT_BARRIER, *next, 0);
    m->r->objects[m->semaphore].initial = (uint32_t)m->tokens;
}

static void invent(struct machine *m)
{
    bool creates = below(&m->random, 3) == 0, meets = below(&m->random, 4) == 0;
    for (uint32_t t = 0; t < m->threads; t++) {
        char name[16];
        snprintf(name, sizeof name, "T%u", t);
        recording_thread(m->r, name, creates && t ? 0 : NOT_RECORDED);
        m->created[t] = !creates || !t;
    }
    for (uint32_t t = 0; t < m->threads; t++) {
        struct code *c = &m->code[t];
        uint32_t length = 2 + below(&m->random, m->threads > 2 ? 4 : 6);
        if (creates && !t)
            add_body(&m->random, c, 0, below(&m->random, 2));
        for (uint32_t child = 1; creates && !t && child < m->threads; child++)
            add(c, RECORD_CREATE, child, 0);
        add_body(&m->random, c, 0, meets ? length / 2 : length);
        if (meets) {
            add(c, RECORD_BARRIER_ENTER, 0, 0);
            add(c, RECORD_BARRIER_LEAVE, 0, 0);
            add_body(&m->random, c, 0, length / 2);
        }
        for (uint32_t child = 1; creates && !t && child < m->threads && below(&m->random, 2); child++)
            add(c, RECORD_JOIN, child, 0);
    }
}

struct recording *predict_random(uint64_t seed, uint32_t threads)
{
    struct machine *m = alloc_zeroed(1, sizeof *m);
    m->r = recording_new();
    m->random.state = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < 8; i++)
        below(&m->random, 2);
    m->threads = threads;
    m->tokens = (int)below(&m->random, 2);
    for (uint32_t t = 0; t < threads; t++)
        m->code[t].semaphore_locks = m->tokens && seed % 3 != 0;
    for (int i = 0; i < LOCKS; i++)
        m->owner[i] = -1;
    name_objects(m);
    invent(m);
    uint32_t stay = below(&m->random, 4); // how often a thread goes on
    for (uint32_t last = 0;;) {
        uint32_t ready[THREADS], count = 0;
        for (uint32_t t = 0; t < threads; t++)
            if (can_go(m, t))
                ready[count++] = t;
        if (!count)
            break;
        if (!can_go(m, last) || below(&m->random, 4) >= stay)
            last = ready[below(&m->random, count)];
        go(m, last);
    }
    struct recording *r = m->r;
    for (uint32_t i = 0; i < r->count; i++) // a lock that somebody shares is no mutex
        if (r->records[i].kind == RECORD_LOCK_SHARED)
            r->objects[r->records[i].object].kind = OBJECT_RWLOCK;
    free(m);
    recording_finish(r);
    return r;
}

void predict_print(const struct recording *r, FILE *file)
{
    for (uint32_t i = 0; i < r->object_count; i++)
        if (r->objects[i].initial)
            fprintf(file, "semaphore %s %u\n", r->blocks[r->objects[i].block].name, r->objects[i].initial);
    for (uint32_t i = 0; i < r->count; i++) {
        const struct record *e = &r->records[i];
        const char *what = e->kind == RECORD_CREATE || e->kind == RECORD_JOIN ? r->threads[e->object].name
                           : record_table[e->kind].access ? r->blocks[r->variables[e->object].block].name
                                                          : r->blocks[r->objects[e->object].block].name;
        fprintf(file, "%s %s %s", r->threads[e->thread].name, record_table[e->kind].name, what);
        if (e->kind == RECORD_WAIT_BEGIN || e->kind == RECORD_WAIT_END)
            fprintf(file, " %s", r->blocks[r->objects[e->other].block].name);
        fprintf(file, "%s @random.c:%u # %u\n", record_table[e->kind].atomic ? " acquire release" : "",
                r->places[e->place].line, i);
    }
}
