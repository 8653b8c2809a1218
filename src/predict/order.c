#include "predict/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "predict/semaphore_locks.h"
#include "predict/wakes.h"

struct maker {
    struct order *o;
    uint32_t without;      // an atomic variable that orders nothing; NOT_RECORDED: none
    uint32_t **now;        // each thread's clock
    uint32_t **released;   // by variable: what a reader that acquires learns; null: nothing
    uint32_t **once;       // by object: the end of its routine
    struct gate **gates;   // by object: those who have come to a barrier
    struct tokens *tokens; // by object: posts of a semaphore
    bool *locks;           // by object: semaphores that are used as locks
    struct wakes wakes;
};

// A generation of a barrier.
struct gate {
    uint32_t generation;
    uint32_t *clock;
    struct gate *before;
};

struct tokens {
    uint32_t *posts; // records
    size_t count, room, taken;
};

static uint32_t *new_clock(const struct maker *m)
{
    return alloc_zeroed(m->o->threads, sizeof(uint32_t));
}

static bool join_into(const struct maker *m, uint32_t *clock, const uint32_t *from)
{
    bool changed = false;
    for (uint32_t t = 0; t < m->o->threads; t++)
        if (clock[t] < from[t]) {
            clock[t] = from[t];
            changed = true;
        }
    return changed;
}

static uint32_t stretch_of(const struct order_line *line, uint32_t done)
{
    uint32_t low = 0, high = line->count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (line->from[middle] <= done)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// The clock of a thread after its first `done` records; its own entry is not in it.
static const uint32_t *clock_after(const struct order *o, uint32_t thread, uint32_t done)
{
    const struct order_line *line = &o->lines[thread];
    return &line->clocks[(size_t)stretch_of(line, done) * o->threads];
}

// The thread has learnt something: its record under way begins a new stretch.
static void begin_stretch(struct maker *m, uint32_t thread, uint32_t done)
{
    struct order_line *line = &m->o->lines[thread];
    uint32_t threads = m->o->threads;
    if (!line->count || line->from[line->count - 1] != done) {
        line->from = alloc_reserve(line->from, line->count + 1, &line->from_room, sizeof *line->from);
        line->clocks =
            alloc_reserve(line->clocks, ((size_t)line->count + 1) * threads, &line->clock_room, sizeof *line->clocks);
        line->from[line->count++] = done;
    }
    memcpy(&line->clocks[(size_t)(line->count - 1) * threads], m->now[thread], threads * sizeof(uint32_t));
}

static void learn(struct maker *m, uint32_t record, const uint32_t *clock)
{
    uint32_t thread = m->o->r->records[record].thread;
    if (join_into(m, m->now[thread], clock))
        begin_stretch(m, thread, m->o->position[record] + 1);
}

// What was known once that record had happened, with the record.
static void learn_record(struct maker *m, uint32_t record, uint32_t from)
{
    uint32_t thread = m->o->r->records[from].thread, done = m->o->position[from] + 1;
    uint32_t *clock = alloc_array(m->o->threads, sizeof *clock);
    memcpy(clock, clock_after(m->o, thread, done), m->o->threads * sizeof *clock);
    clock[thread] = done;
    learn(m, record, clock);
    free(clock);
}

static void know_itself(struct maker *m, uint32_t record)
{
    m->now[m->o->r->records[record].thread][m->o->r->records[record].thread] = m->o->position[record] + 1;
}

static struct gate *gate_of(struct maker *m, uint32_t object, uint32_t generation)
{
    struct gate *gate = m->gates[object];
    while (gate && gate->generation != generation)
        gate = gate->before;
    if (!gate) {
        gate = alloc_zeroed(1, sizeof *gate);
        *gate = (struct gate){.generation = generation, .clock = new_clock(m), .before = m->gates[object]};
        m->gates[object] = gate;
    }
    return gate;
}

static void post(struct maker *m, uint32_t object, uint32_t record)
{
    struct tokens *t = &m->tokens[object];
    t->posts = alloc_grow(t->posts, t->count, &t->room, sizeof *t->posts);
    t->posts[t->count++] = record;
}

static void take(struct maker *m, uint32_t object, uint32_t record)
{
    struct tokens *t = &m->tokens[object];
    size_t number = t->taken++;
    size_t initial = m->o->r->objects[object].initial;
    if (number >= initial && number - initial < t->count)
        learn_record(m, record, t->posts[number - initial]);
}

// After the access has learnt what it acquires: what it leaves for later ones.
static void leave_for_readers(struct maker *m, const struct record *e)
{
    uint32_t **released = &m->released[e->object];
    bool releases = e->flags & RECORD_RELEASES;
    if (!*released && releases)
        *released = new_clock(m);
    if (!*released)
        return;
    if (e->kind != RECORD_ATOMIC_RMW)
        memset(*released, 0, m->o->threads * sizeof **released);
    if (releases)
        join_into(m, *released, m->now[e->thread]);
}

static void see_atomic(struct maker *m, uint32_t record)
{
    const struct record *e = &m->o->r->records[record];
    if (e->object == m->without)
        return;
    if (record_table[e->kind].reads && e->flags & RECORD_ACQUIRE && m->released[e->object])
        learn(m, record, m->released[e->object]);
    know_itself(m, record);
    if (record_table[e->kind].writes)
        leave_for_readers(m, e);
}

static void see_thread(struct maker *m, uint32_t record)
{
    const struct record *e = &m->o->r->records[record];
    if (e->kind == RECORD_CREATE) {
        m->o->creation[e->object] = record;
    } else if (m->o->r->threads[e->object].count) { // a join
        const struct recorded_thread *ended = &m->o->r->threads[e->object];
        uint32_t last = ended->count;
        while (last && ended->records[last - 1] > record)
            last--;
        if (last)
            learn_record(m, record, ended->records[last - 1]);
    }
}

// What the record learns from others, before it counts as known itself.
static void see_record(struct maker *m, uint32_t record)
{
    const struct record *e = &m->o->r->records[record];
    if (m->o->position[record] == 0 && m->o->creation[e->thread] != NOT_RECORDED)
        learn_record(m, record, m->o->creation[e->thread]);
    switch (e->kind) {
    case RECORD_CREATE:
    case RECORD_JOIN:
        see_thread(m, record);
        break;
    case RECORD_SIGNAL:
    case RECORD_BROADCAST:
        for (uint32_t w = wakes_first(&m->wakes, record); w != NOT_RECORDED; w = wakes_next(&m->wakes, w))
            learn_record(m, record, wakes_begin(&m->wakes, w));
        break;
    case RECORD_WAIT_END:
        if (wakes_by(&m->wakes, record) != NOT_RECORDED)
            learn_record(m, record, wakes_by(&m->wakes, record));
        break;
    case RECORD_BARRIER_ENTER:
        know_itself(m, record);
        join_into(m, gate_of(m, e->object, e->other)->clock, m->now[e->thread]);
        break;
    case RECORD_BARRIER_LEAVE:
        learn(m, record, gate_of(m, e->object, e->other)->clock);
        break;
    case RECORD_POST:
        post(m, e->object, record);
        break;
    case RECORD_TAKE:
        if (!(e->flags & RECORD_FAILED) && !m->locks[e->object])
            take(m, e->object, record);
        break;
    case RECORD_ONCE_END:
        know_itself(m, record);
        if (!m->once[e->object])
            m->once[e->object] = new_clock(m);
        join_into(m, m->once[e->object], m->now[e->thread]);
        break;
    case RECORD_ONCE_PASS:
        if (m->once[e->object])
            learn(m, record, m->once[e->object]);
        break;
    default:
        if (record_table[e->kind].atomic)
            see_atomic(m, record);
    }
    know_itself(m, record);
}

static void maker_begin(struct maker *m, struct order *o, uint32_t without)
{
    const struct recording *r = o->r;
    *m = (struct maker){.o = o, .without = without};
    m->now = alloc_zeroed(o->threads, sizeof *m->now);
    m->o->creation = alloc_array(o->threads, sizeof *m->o->creation);
    for (uint32_t t = 0; t < o->threads; t++) {
        m->now[t] = new_clock(m);
        m->o->creation[t] = NOT_RECORDED;
        begin_stretch(m, t, 0);
    }
    m->released = alloc_zeroed(r->variable_count, sizeof *m->released);
    m->once = alloc_zeroed(r->object_count, sizeof *m->once);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): it is pointers that are kept
    m->gates = alloc_zeroed(r->object_count, sizeof *m->gates);
    m->tokens = alloc_zeroed(r->object_count, sizeof *m->tokens);
    m->locks = semaphore_locks(r);
    wakes_make(&m->wakes, r);
}

static void maker_end(struct maker *m)
{
    const struct recording *r = m->o->r;
    for (uint32_t t = 0; t < m->o->threads; t++)
        free(m->now[t]);
    for (uint32_t v = 0; v < r->variable_count; v++)
        free(m->released[v]);
    for (uint32_t i = 0; i < r->object_count; i++) {
        free(m->once[i]);
        free(m->tokens[i].posts);
        for (struct gate *gate = m->gates[i], *before; gate; gate = before) {
            before = gate->before;
            free(gate->clock);
            free(gate);
        }
    }
    free(m->now);
    free(m->released);
    free(m->once);
    free(m->gates);
    free(m->tokens);
    free(m->locks);
    wakes_free(&m->wakes);
}

void order_make_without(struct order *o, const struct recording *r, uint32_t variable)
{
    *o = (struct order){.r = r, .threads = r->thread_count};
    o->position = alloc_array(r->count, sizeof *o->position);
    o->lines = alloc_zeroed(o->threads, sizeof *o->lines);
    for (uint32_t t = 0; t < o->threads; t++)
        for (uint32_t i = 0; i < r->threads[t].count; i++)
            o->position[r->threads[t].records[i]] = i;
    struct maker m;
    maker_begin(&m, o, variable);
    for (uint32_t i = 0; i < r->count; i++)
        see_record(&m, i);
    maker_end(&m);
}

void order_make(struct order *o, const struct recording *r)
{
    order_make_without(o, r, NOT_RECORDED);
}

void order_free(struct order *o)
{
    for (uint32_t t = 0; t < o->threads; t++) {
        free(o->lines[t].from);
        free(o->lines[t].clocks);
    }
    free(o->lines);
    free(o->creation);
    free(o->position);
}

// What was known once that record had happened, with the record, joined into a clock that is in the order already.
static void join_record(const struct order *o, uint32_t *clock, uint32_t record)
{
    uint32_t thread = o->r->records[record].thread, done = o->position[record] + 1;
    const uint32_t *known = clock_after(o, thread, done);
    for (uint32_t t = 0; t < o->threads; t++) {
        uint32_t needs = t == thread ? done : known[t];
        clock[t] = clock[t] < needs ? needs : clock[t];
    }
}

void order_forget(struct order *o, uint32_t record, struct order_forgotten *f)
{
    uint32_t thread = o->r->records[record].thread, done = o->position[record] + 1;
    struct order_line *line = &o->lines[thread];
    uint32_t stretch = stretch_of(line, done);
    *f = (struct order_forgotten){.thread = thread, .stretch = stretch};
    if (!stretch || line->from[stretch] != done)
        return; // it learns nothing
    uint32_t *clock = &line->clocks[(size_t)stretch * o->threads];
    f->clock = alloc_array(o->threads, sizeof *clock);
    memcpy(f->clock, clock, o->threads * sizeof *clock);
    memcpy(clock, clock - o->threads, o->threads * sizeof *clock);
    if (done == 1 && o->creation[thread] != NOT_RECORDED)
        join_record(o, clock, o->creation[thread]);
}

void order_forget_wake(struct order *o, const struct wakes *w, uint32_t wake, struct order_forgotten *f)
{
    uint32_t signal = w->wakes[wake].by;
    order_forget(o, signal, f);
    for (uint32_t other = wakes_first(w, signal); f->clock && other != NOT_RECORDED; other = wakes_next(w, other))
        if (other != wake)
            join_record(o, &o->lines[f->thread].clocks[(size_t)f->stretch * o->threads], wakes_begin(w, other));
}

void order_recall(struct order *o, struct order_forgotten *f)
{
    if (f->clock)
        memcpy(&o->lines[f->thread].clocks[(size_t)f->stretch * o->threads], f->clock, o->threads * sizeof *f->clock);
    free(f->clock);
    *f = (struct order_forgotten){0};
}

uint32_t order_unchanged(const struct order *o, uint32_t thread, uint32_t done)
{
    const struct order_line *line = &o->lines[thread];
    uint32_t next = stretch_of(line, done) + 1;
    return next < line->count ? line->from[next] - 1 : UINT32_MAX;
}

uint32_t order_needs(const struct order *o, uint32_t thread, uint32_t done, uint32_t other)
{
    return thread == other ? done : clock_after(o, thread, done)[other];
}

bool order_before(const struct order *o, uint32_t a, uint32_t b)
{
    uint32_t first = o->r->records[a].thread, second = o->r->records[b].thread;
    if (first == second)
        return o->position[a] < o->position[b];
    return order_needs(o, second, o->position[b] + 1, first) > o->position[a];
}
