#include "inject/comparable.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "inject/canonical_trace.h"
#include "inject/order_solver.h"

enum { MOST_SECTIONS = 6000, MOST_ASKED = 1000 };

// One section of a mutex: the events at which it begins and ends.
struct section {
    uint64_t mutex;
    uint32_t thread;
    size_t begin, end; // SIZE_MAX: it does not end
};

// The end of a section comes before the beginning of another.
struct edge {
    uint32_t from, to; // sections
};

// Accesses of one word of memory, the last of each thread and kind.
struct seen {
    uint32_t thread;
    bool writes;
    size_t event;
};

struct word {
    uint64_t key; // location plus 1; 0: free
    struct seen *seen;
    size_t count, room;
};

// What a thread knew when it came to a barrier.
struct arrival {
    uint64_t barrier;
    uint32_t round;
    size_t *clock;
};

struct checker {
    const struct order_thread *threads;
    uint32_t count;
    size_t *at;     // next event of each thread
    size_t **clock; // what each thread knows: how many events of the others
    size_t **ended; // what a thread knew at its end, or null
    bool *begun;
    uint32_t *creator; // or UINT32_MAX
    struct section *sections;
    size_t section_count, section_room;
    struct edge *edges;
    size_t edge_count, edge_room;
    size_t **section_end; // what was known at the end of each section, once it is passed
    size_t **section_begin;
    struct arrival *arrivals;
    size_t arrival_count, arrival_room;
    struct word *words;
    size_t word_slots;
    struct comparison_check *result;
};

static void clock_join_into(size_t *to, const size_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (from[i] > to[i])
            to[i] = from[i];
}

static size_t *clock_copy(const size_t *from, uint32_t n)
{
    size_t *copy = alloc_array(n, sizeof *copy);
    memcpy(copy, from, n * sizeof *copy);
    return copy;
}

// ---- sections ----

static void add_section(struct checker *c, uint32_t thread, size_t begin)
{
    c->sections = alloc_grow(c->sections, c->section_count, &c->section_room, sizeof *c->sections);
    c->sections[c->section_count++] =
        (struct section){c->threads[thread].events[begin].object, thread, begin, SIZE_MAX};
}

static void end_section(struct checker *c, uint32_t thread, size_t end)
{
    for (size_t i = c->section_count; i-- > 0;) {
        struct section *s = &c->sections[i];
        if (s->thread == thread && s->mutex == c->threads[thread].events[end].object && s->end == SIZE_MAX) {
            s->end = end;
            return;
        }
    }
}

static void find_sections(struct checker *c)
{
    for (uint32_t t = 0; t < c->count; t++)
        for (size_t i = 0; i < c->threads[t].count && c->section_count < MOST_SECTIONS; i++)
            if (c->threads[t].events[i].kind == ORDER_LOCK)
                add_section(c, t, i);
            else if (c->threads[t].events[i].kind == ORDER_UNLOCK)
                end_section(c, t, i);
}

static size_t section_at(const struct checker *c, uint32_t thread, size_t event, bool begins)
{
    for (size_t i = 0; i < c->section_count; i++) {
        const struct section *s = &c->sections[i];
        if (s->thread == thread && (begins ? s->begin : s->end) == event)
            return i;
    }
    return SIZE_MAX;
}

// ---- memory ----

static struct word *word_at(struct checker *c, uint64_t location)
{
    size_t at = (location * 0x9e3779b97f4a7c15u >> 20) % c->word_slots;
    while (c->words[at].key && c->words[at].key != location + 1)
        at = (at + 1) % c->word_slots;
    if (!c->words[at].key)
        c->result->locations++;
    c->words[at].key = location + 1;
    return &c->words[at];
}

static void note_pair(struct checker *c, const struct seen *seen, uint32_t thread, size_t event)
{
    struct comparison_check *r = c->result;
    struct order_pair pair = {{seen->thread, thread}, {seen->event, event}, c->threads[thread].events[event].object};
    if (!r->open++)
        r->first = pair;
    if (r->pair_count == MOST_ASKED)
        return;
    r->pairs = alloc_grow(r->pairs, r->pair_count, &r->pair_room, sizeof *r->pairs);
    r->pairs[r->pair_count++] = pair;
}

// Bytes are looked at by the word that they are in, which is safe: two neighbours may count as one.
static void look_at_word(struct checker *c, uint32_t thread, size_t event, uint64_t location)
{
    const struct order_event *e = &c->threads[thread].events[event];
    struct word *w = word_at(c, location);
    bool known = false;
    for (size_t i = 0; i < w->count; i++) {
        struct seen *seen = &w->seen[i];
        if (seen->thread == thread) {
            if (seen->writes == e->writes) {
                seen->event = event;
                known = true;
            }
            continue;
        }
        if (!seen->writes && !e->writes)
            continue;
        c->result->dependent++;
        if (seen->event >= c->clock[thread][seen->thread])
            note_pair(c, seen, thread, event);
    }
    if (known)
        return;
    w->seen = alloc_grow(w->seen, w->count, &w->room, sizeof *w->seen);
    w->seen[w->count++] = (struct seen){thread, e->writes, event};
}

static void look_at_access(struct checker *c, uint32_t thread, size_t event)
{
    enum { WORD = 4 };
    const struct order_event *e = &c->threads[thread].events[event];
    c->result->accesses++;
    for (uint64_t at = e->object / WORD; at <= (e->object + (e->size ? e->size - 1 : 0)) / WORD; at++)
        look_at_word(c, thread, event, at);
}

// ---- one order of all events that keeps to what is known ----

// Everybody who uses the barrier has come to this round.
static bool round_is_full(const struct checker *c, const struct order_event *e)
{
    for (uint32_t t = 0; t < c->count; t++)
        for (size_t i = c->at[t]; i < c->threads[t].count; i++) {
            const struct order_event *other = &c->threads[t].events[i];
            if (other->kind == ORDER_ARRIVE && other->object == e->object && other->other <= e->other)
                return false;
        }
    return true;
}

static void learn_round(struct checker *c, uint32_t thread, const struct order_event *e)
{
    for (size_t i = 0; i < c->arrival_count; i++)
        if (c->arrivals[i].barrier == e->object && c->arrivals[i].round == e->other)
            clock_join_into(c->clock[thread], c->arrivals[i].clock, c->count);
}

static void note_arrival(struct checker *c, uint32_t thread, const struct order_event *e)
{
    c->arrivals = alloc_grow(c->arrivals, c->arrival_count, &c->arrival_room, sizeof *c->arrivals);
    c->arrivals[c->arrival_count++] = (struct arrival){e->object, e->other, clock_copy(c->clock[thread], c->count)};
}

static bool may_begin_section(struct checker *c, uint32_t thread, size_t event, size_t *which)
{
    *which = section_at(c, thread, event, true);
    for (size_t i = 0; i < c->edge_count; i++)
        if (c->edges[i].to == *which && !c->section_end[c->edges[i].from])
            return false;
    return true;
}

static void begin_section(struct checker *c, uint32_t thread, size_t which)
{
    if (which == SIZE_MAX)
        return;
    for (size_t i = 0; i < c->edge_count; i++)
        if (c->edges[i].to == which)
            clock_join_into(c->clock[thread], c->section_end[c->edges[i].from], c->count);
}

static bool can_go(struct checker *c, uint32_t thread)
{
    size_t event = c->at[thread], which;
    const struct order_event *e = &c->threads[thread].events[event];
    if (!c->begun[thread])
        return false;
    if (e->kind == ORDER_JOIN && e->other < c->count)
        return c->ended[e->other] != NULL;
    if (e->kind == ORDER_LEAVE)
        return round_is_full(c, e);
    return e->kind != ORDER_LOCK || may_begin_section(c, thread, event, &which);
}

static void go(struct checker *c, uint32_t thread, bool look)
{
    size_t event = c->at[thread], which = SIZE_MAX;
    const struct order_event *e = &c->threads[thread].events[event];
    c->clock[thread][thread] = event + 1;
    switch (e->kind) {
    case ORDER_ACCESS:
        if (look)
            look_at_access(c, thread, event);
        break;
    case ORDER_CREATE:
        if (e->other < c->count) {
            clock_join_into(c->clock[e->other], c->clock[thread], c->count);
            c->begun[e->other] = true;
        }
        break;
    case ORDER_JOIN:
        if (e->other < c->count)
            clock_join_into(c->clock[thread], c->ended[e->other], c->count);
        break;
    case ORDER_LEAVE:
        learn_round(c, thread, e);
        break;
    case ORDER_LOCK:
        may_begin_section(c, thread, event, &which);
        begin_section(c, thread, which);
        if (which != SIZE_MAX)
            c->section_begin[which] = clock_copy(c->clock[thread], c->count);
        break;
    case ORDER_UNLOCK:
        which = section_at(c, thread, event, false);
        if (which != SIZE_MAX)
            c->section_end[which] = clock_copy(c->clock[thread], c->count);
        break;
    case ORDER_ARRIVE:
        note_arrival(c, thread, e);
        break;
    }
    c->at[thread]++;
}

static void begin_pass(struct checker *c)
{
    for (uint32_t t = 0; t < c->count; t++) {
        c->at[t] = 0;
        memset(c->clock[t], 0, c->count * sizeof **c->clock);
        free(c->ended[t]);
        c->ended[t] = NULL;
        c->begun[t] = c->creator[t] == UINT32_MAX;
    }
    for (size_t i = 0; i < c->arrival_count; i++)
        free(c->arrivals[i].clock);
    c->arrival_count = 0;
    for (size_t i = 0; i < c->section_count; i++) {
        free(c->section_end[i]);
        free(c->section_begin[i]);
        c->section_end[i] = c->section_begin[i] = NULL;
    }
}

// Goes through all events. False: some cannot be reached.
static bool pass(struct checker *c, bool look)
{
    begin_pass(c);
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t t = 0; t < c->count; t++) {
            while (c->at[t] < c->threads[t].count && can_go(c, t)) {
                go(c, t, look);
                moved = true;
            }
            if (c->at[t] == c->threads[t].count && c->begun[t] && !c->ended[t]) {
                c->ended[t] = clock_copy(c->clock[t], c->count);
                moved = true;
            }
        }
    }
    for (uint32_t t = 0; t < c->count; t++)
        if (!c->ended[t])
            return false;
    return true;
}

static bool has_edge(const struct checker *c, size_t from, size_t to)
{
    for (size_t i = 0; i < c->edge_count; i++)
        if (c->edges[i].from == from && c->edges[i].to == to)
            return true;
    return false;
}

// If a section must begin before another one of its mutex ends, it ends before the other begins.
static bool add_edges(struct checker *c)
{
    bool some = false;
    for (size_t i = 0; i < c->section_count; i++)
        for (size_t k = 0; k < c->section_count; k++) {
            const struct section *a = &c->sections[i], *b = &c->sections[k];
            if (a->mutex != b->mutex || a->thread == b->thread || a->end == SIZE_MAX || b->end == SIZE_MAX)
                continue;
            bool before = c->section_end[k][a->thread] > a->begin;
            if (!before || c->section_begin[k][a->thread] > a->end || has_edge(c, i, k))
                continue;
            c->edges = alloc_grow(c->edges, c->edge_count, &c->edge_room, sizeof *c->edges);
            c->edges[c->edge_count++] = (struct edge){(uint32_t)i, (uint32_t)k};
            some = true;
        }
    return some;
}

static void find_creators(struct checker *c)
{
    for (uint32_t t = 0; t < c->count; t++)
        c->creator[t] = UINT32_MAX;
    for (uint32_t t = 0; t < c->count; t++)
        for (size_t i = 0; i < c->threads[t].count; i++)
            if (c->threads[t].events[i].kind == ORDER_CREATE && c->threads[t].events[i].other < c->count)
                c->creator[c->threads[t].events[i].other] = t;
}

static size_t count_words(const struct order_thread *threads, uint32_t count)
{
    size_t words = 64;
    for (uint32_t t = 0; t < count; t++)
        for (size_t i = 0; i < threads[t].count; i++)
            words += threads[t].events[i].kind == ORDER_ACCESS ? threads[t].events[i].size / 4 + 2 : 0;
    return words;
}

static void checker_free(struct checker *c)
{
    begin_pass(c);
    for (uint32_t t = 0; t < c->count; t++)
        free(c->clock[t]);
    for (size_t i = 0; i < c->word_slots; i++)
        free(c->words[i].seen);
    free(c->words);
    free(c->at);
    free(c->clock);
    free(c->ended);
    free(c->begun);
    free(c->creator);
    free(c->sections);
    free(c->edges);
    free(c->section_end);
    free(c->section_begin);
    free(c->arrivals);
}

void comparable_check(const struct order_thread *threads, uint32_t count, struct comparison_check *result)
{
    memset(result, 0, sizeof *result);
    struct checker c = {.threads = threads, .count = count, .result = result};
    c.at = alloc_zeroed(count, sizeof *c.at);
    c.clock = alloc_zeroed(count, sizeof *c.clock);
    c.ended = alloc_zeroed(count, sizeof *c.ended);
    c.begun = alloc_zeroed(count, sizeof *c.begun);
    c.creator = alloc_zeroed(count, sizeof *c.creator);
    for (uint32_t t = 0; t < count; t++)
        c.clock[t] = alloc_zeroed(count, sizeof **c.clock);
    c.word_slots = count_words(threads, count) * 2;
    c.words = alloc_zeroed(c.word_slots, sizeof *c.words);
    find_creators(&c);
    find_sections(&c);
    c.section_end = alloc_zeroed(c.section_count + 1, sizeof *c.section_end);
    c.section_begin = alloc_zeroed(c.section_count + 1, sizeof *c.section_begin);
    while (c.section_count && pass(&c, false) && add_edges(&c))
        ;
    result->stuck = !pass(&c, true);
    result->lock_edges = c.edge_count;
    checker_free(&c);
}

// ---- the solver ----

// Clocks have looked at the last access of each thread before the other one; earlier ones come before it. So a pair is closed only
// if it cannot be turned around: the other way round, earlier accesses would have to be looked at as well.
void comparable_ask(const struct order_thread *threads, uint32_t count, struct comparison_check *result)
{
    struct order_solver *solver = result->open ? order_solver_open(threads, count, &result->unasked) : NULL;
    for (size_t i = 0; solver && i < result->pair_count && !result->certain; i++) {
        const struct order_pair *p = &result->pairs[i];
        struct order_place one = {p->thread[0], p->event[0]}, other = {p->thread[1], p->event[1]};
        enum order_answer turned = order_solver_ask(solver, one, other);
        if (turned == ORDER_IMPOSSIBLE) {
            result->closed++;
            result->open--;
            continue;
        }
        result->certain = turned == ORDER_POSSIBLE && order_solver_ask(solver, other, one) == ORDER_POSSIBLE;
        if (result->certain || !i || result->closed == i)
            result->first = *p;
    }
    order_solver_close(solver);
}

void comparable_free(struct comparison_check *result)
{
    free(result->pairs);
    result->pairs = NULL;
}

// ---- of a canonical trace ----

static uint32_t thread_of_path(const struct canonical_trace *t, uint64_t path)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->threads[i].path == path)
            return (uint32_t)i;
    return UINT32_MAX;
}

// How many threads the barrier is made for, and how many use it; it orders all of them only if these are the same.
static bool barrier_is_for_all(const struct canonical_trace *t, uint64_t barrier)
{
    uint64_t made_for = 0, users = 0;
    for (size_t i = 0; i < t->count; i++) {
        bool uses = false;
        for (size_t k = 0; k < t->threads[i].count; k++) {
            const struct canonical_record *r = &t->threads[i].records[k];
            if (canonical_op_of(r->what) != CANONICAL_BARRIER || r->object != barrier)
                continue;
            if (r->value >= CANONICAL_BARRIER_COUNT)
                made_for = r->value - CANONICAL_BARRIER_COUNT;
            else
                uses = true;
        }
        users += uses;
    }
    return made_for && made_for == users;
}

struct trace_reader {
    const struct canonical_trace *trace;
    struct order_thread *thread;
    uint32_t number;
    uint64_t barrier; // last asked for …
    bool for_all;     // … and what was answered
    uint32_t round;
    uint32_t size; // of the next record, if it is large; else 0
    uint64_t *elsewhere;
};

static void put_event(struct trace_reader *r, struct order_event e)
{
    struct order_thread *t = r->thread;
    t->events = alloc_grow(t->events, t->count, &t->room, sizeof *t->events);
    t->events[t->count++] = e;
}

// Offsets of stacks grow downwards; locations of neighbouring bytes have to grow.
static uint64_t location_of(uint64_t object)
{
    const uint64_t frame = (1ull << CANONICAL_FRAME_BITS) - 1;
    return canonical_kind_of(object) == OBJECT_STACK ? (object & ~frame) + (frame + 1 - (object & frame)) : object;
}

static void put_access(struct trace_reader *r, const struct canonical_record *record, size_t number, bool reads,
                       bool writes)
{
    uint32_t size = r->size ? r->size : canonical_size_of(record->what);
    r->size = 0;
    *r->elsewhere += !record->object;
    if (record->object)
        put_event(r, (struct order_event){.kind = ORDER_ACCESS,
                                          .reads = reads,
                                          .writes = writes,
                                          .object = location_of(record->object),
                                          .size = size,
                                          .record = number});
}

static void put_barrier(struct trace_reader *r, const struct canonical_record *record, size_t number)
{
    if (record->value >= CANONICAL_BARRIER_COUNT)
        return;
    if (r->barrier != record->object) {
        r->barrier = record->object;
        r->for_all = barrier_is_for_all(r->trace, record->object);
        r->round = 0;
    }
    r->round += record->value == CANONICAL_ARRIVES;
    if (r->for_all)
        put_event(r, (struct order_event){.kind = record->value == CANONICAL_ARRIVES ? ORDER_ARRIVE : ORDER_LEAVE,
                                          .object = record->object,
                                          .other = r->round,
                                          .record = number});
}

static void put_record(struct trace_reader *r, const struct canonical_record *record, size_t number)
{
    const struct canonical_thread *self = &r->trace->threads[r->number];
    switch (canonical_op_of(record->what)) {
    case CANONICAL_READ:
    case CANONICAL_READ_RANGE:
        put_access(r, record, number, true, false);
        break;
    case CANONICAL_WRITE:
    case CANONICAL_WRITE_RANGE:
        put_access(r, record, number, false, true);
        break;
    case CANONICAL_ATOMIC:
        put_access(r, record, number, true, true);
        break;
    case CANONICAL_CREATE:
        put_event(r, (struct order_event){.kind = ORDER_CREATE,
                                          .other = thread_of_path(r->trace, injection_path(self->path, record->value)),
                                          .record = number});
        break;
    case CANONICAL_JOIN:
        put_event(r, (struct order_event){
                         .kind = ORDER_JOIN, .other = thread_of_path(r->trace, record->value), .record = number});
        break;
    case CANONICAL_LOCK:
    case CANONICAL_UNLOCK:
        put_event(
            r, (struct order_event){.kind = canonical_op_of(record->what) == CANONICAL_LOCK ? ORDER_LOCK : ORDER_UNLOCK,
                                    .object = record->object,
                                    .record = number});
        break;
    case CANONICAL_BARRIER:
        put_barrier(r, record, number);
        break;
    case CANONICAL_SIZE:
        r->size = record->value > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)record->value;
        break;
    default:
        break;
    }
}

const char *comparable_trace(const struct canonical_trace *trace, struct comparison_check *result)
{
    struct order_thread *threads = alloc_zeroed(trace->count, sizeof *threads);
    uint64_t elsewhere = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        struct trace_reader reader = {.trace = trace, .thread = &threads[i], .number = i, .elsewhere = &elsewhere};
        for (size_t k = 0; k < trace->threads[i].count; k++)
            put_record(&reader, &trace->threads[i].records[k], k);
    }
    comparable_check(threads, (uint32_t)trace->count, result);
    comparable_ask(threads, (uint32_t)trace->count, result);
    comparable_free(result);
    result->elsewhere = elsewhere;
    for (int side = 0; result->open && side < 2; side++) // as records of the trace
        result->first.event[side] = threads[result->first.thread[side]].events[result->first.event[side]].record;
    for (size_t i = 0; i < trace->count; i++)
        free(threads[i].events);
    free(threads);
    return result->stuck ? "its records cannot be put into an order" : NULL;
}
