// Atomicity violations of one variable: two accesses of a region with one of another thread between them that no serial order of
// the two would have.
//
// With one node for each thread, as the seed's conflict graph must be read, that is a cycle: the first access conflicts with the one in
// between, and that one with the last. Five patterns are left: RWR, WWR, RWW, WRW and WWW. If a write stands between some accesses
// of the region, it stands between two that follow each other, and those conflict with it; if a read does, what counts is the
// last write before it and the next one behind it. So only such pairs are asked for.
//
// Two accesses that are each in a section of their own belong together only if one of them has its section to itself: otherwise
// what the sections do is complete in itself, as in `lock; x++; unlock` done twice. And if both sections are of one lock, the first
// access has to be a read, which goes stale: a write at whose end the lock is let go was most likely meant to be seen. Pairs that begin with
// such a write are looked at last (parted), and say something only if the run fails.
//
// A thread that acquires what another one has left in an atomic variable comes after it (order.h). So two threads that load and store one
// are in one order, and nothing comes between. But in another order they would read something else there and be ordered otherwise. So
// such variables are looked at once more without what they order themselves (loosened). Programs without locks work like that on
// purpose, so what is found there says something only if the run fails.
//
// A thread that looks, finds what another one has left, and so does nothing is of no pattern. Had it looked before, between that one's look and
// its write, it would have done something too, as where two threads make the same object. What it would have done is not in the recording;
// so reads that would find something older than they did are put in between at last, too (stale), and told only if the run fails.
//
// McPatom-MV1 of the seed makes one variable of two that belong together, and then asks the same. That accuses more than the exact
// test of two_variables.c does, since a serial order may explain what happens to either.
#include "predict/correlate.h"
#include "predict/pair_lines.h"
#include "predict/prediction_hunt.h"
#include "predict/rounds.h"

#include <stdlib.h>

#include "base/alloc.h"

enum {
    HUNT_UNLIKELY_RECORDS = 5000000, // all together
    NEXT_WRITE = 4                   // accesses up to which one that reads is taken to look for what it then writes
};

static char letter(const struct record *e)
{
    return record_writes(e) ? 'W' : 'R';
}

// Whether some section of the thread has both of these records.
static bool share_section(const struct hunt *h, uint32_t first, uint32_t second)
{
    uint32_t thread = h->r->records[first].thread;
    const struct section_line *line = &h->m.sections.lines[thread];
    uint32_t node = sections_held(&h->m.sections, thread, h->m.order.position[first]);
    for (; node != NOT_RECORDED; node = line->held[node].below)
        if (section_spans(&line->sections[line->held[node].section], h->m.order.position[first],
                          h->m.order.position[second]))
            return true;
    return false;
}

// Whether the thread holds the same lock at both records.
static bool hold_one_lock(const struct hunt *h, uint32_t first, uint32_t second)
{
    uint32_t thread = h->r->records[first].thread;
    return sections_common(&h->m.sections, thread, h->m.order.position[first], thread, h->m.order.position[second]) !=
           NOT_RECORDED;
}

static bool has_section_to_itself(const struct hunt *h, const struct access_line *line, uint32_t at)
{
    return !(at > 0 && share_section(h, line->records[at - 1], line->records[at])) &&
           !(at + 1 < line->count && share_section(h, line->records[at], line->records[at + 1]));
}

static bool belong_together(const struct hunt *h, const struct access_line *line, uint32_t first, uint32_t last,
                            const uint32_t *rounds, struct bound *bound)
{
    uint32_t a = line->records[first], c = line->records[last];
    if (!regions_bound(&h->regions, line->thread, h->m.order.position[a], h->m.order.position[c], bound))
        return false;
    if (bound->kind == BOUND_SECTION || bound->kind == BOUND_DECLARED)
        return !h->parted;
    if (h->parted != (record_writes(&h->r->records[a]) && hold_one_lock(h, a, c)))
        return false;
    return rounds_same(rounds, a, c) && (has_section_to_itself(h, line, first) || has_section_to_itself(h, line, last));
}

static void try_between(struct hunt *h, uint32_t a, uint32_t b, uint32_t c, const struct bound *bound)
{
    const struct record *e = h->r->records;
    struct prediction p = {.kind = PREDICT_ONE_VARIABLE,
                           .records = {a, b, c},
                           .record_count = 3,
                           .wishes = {{a, b}, {b, c}},
                           .wish_count = 2,
                           .pattern = {letter(&e[a]), letter(&e[b]), letter(&e[c])},
                           .bound = *bound,
                           .weak = h->loosened || h->parted || h->stale,
                           .loosened = h->loosened};
    uint32_t signature = hunt_signature(h, &p);
    if (!hunt_is_open(h, signature) || hunt_is_guarded(h, a, c, b) || hunt_is_meant(h, &p))
        return;
    p.lock = hunt_lock_around(h, a, c, b);
    if (p.lock == NOT_RECORDED)
        p.lock = hunt_lock_around(h, b, b, a);
    p.handed = hunt_hands_over(h, &p);
    hunt_ask(h, &p, signature);
}

// Whether access b belongs between two of the line, of which the second is number `last`: one that no serial order has there. Or a read that
// came after a write from there on, and would find what was there before it.
static bool is_asked_for(const struct hunt *h, const struct access_line *line, uint32_t first, uint32_t last,
                         uint32_t b)
{
    const struct record *records = h->r->records;
    bool only_reads = last != first + 1, writes = record_writes(&records[line->records[first]]);
    if (!h->stale)
        return record_writes(&records[b]) ? !only_reads : writes && record_writes(&records[line->records[last]]);
    if (only_reads || writes || record_writes(&records[b]))
        return false;
    uint32_t write = last;
    while (write < line->count && write - last < NEXT_WRITE && !record_writes(&records[line->records[write]]))
        write++;
    return write < line->count && record_writes(&records[line->records[write]]) && line->records[write] < b;
}

// Others' accesses between the pair: the nearest in the recorded run first, to both sides.
static void try_pair(struct hunt *h, const struct access_line *line, uint32_t first, uint32_t last,
                     const struct access_line *other, const struct bound *bound)
{
    uint32_t a = line->records[first], c = line->records[last], low, high;
    if (hunt_is_worn(h, PREDICT_ONE_VARIABLE, a, c, other->thread))
        return;
    hunt_range(h, other, a, c, &low, &high);
    uint32_t down = hunt_nearest(other, low, high, a), up = down;
    for (uint32_t tried = 0; tried < HUNT_NEAR && (down > low || up < high); tried++) {
        bool goes_up = down == low || (up < high && tried % 2);
        uint32_t b = other->records[goes_up ? up++ : --down];
        if (is_asked_for(h, line, first, last, b))
            try_between(h, a, b, c, bound);
    }
    h->found.left_out += (down - low) + (high - up);
}

static bool are_atomic(const struct hunt *h, uint32_t a, uint32_t b)
{
    const struct record *e = h->r->records;
    return record_table[e[a].kind].atomic && record_table[e[b].kind].atomic;
}

static void try_line(struct hunt *h, const struct access_line *lines, uint32_t count, uint32_t at,
                     const uint32_t *rounds)
{
    const struct access_line *line = &lines[at];
    for (uint32_t i = 0; i + 1 < line->count; i++) {
        bool writes = record_writes(&h->r->records[line->records[i]]);
        uint32_t next_write = i + 1; // a write's next one, past the reads between them
        while (writes && next_write < line->count && !record_writes(&h->r->records[line->records[next_write]]))
            next_write++;
        uint32_t last[2] = {i + 1, next_write < line->count ? next_write : i + 1};
        for (int k = 0; k < 2 && (k == 0 || last[1] != last[0]); k++) {
            struct bound bound;
            if (h->loosened && !are_atomic(h, line->records[i], line->records[last[k]]))
                continue;
            if (!belong_together(h, line, i, last[k], rounds, &bound))
                continue;
            for (uint32_t o = 0; o < count; o++)
                if (o != at)
                    try_pair(h, line, i, last[k], &lines[o], &bound);
        }
    }
}

void hunt_one_variable(struct hunt *h)
{
    uint32_t *rounds = rounds_count(&h->regions);
    for (uint32_t v = 0; v < h->r->variable_count; v++) {
        uint32_t count;
        const struct access_line *lines = accesses_lines(&h->accesses, v, &count);
        for (uint32_t i = 0; count > 1 && i < count; i++)
            try_line(h, lines, count, i, rounds);
    }
    free(rounds);
}

// Whether some thread accesses the variable twice by atomic operations: if it does, so may the others.
static bool orders_itself(const struct hunt *h, const struct access_line *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k + 1 < lines[i].count; k++)
            if (are_atomic(h, lines[i].records[k], lines[i].records[k + 1]))
                return true;
    return false;
}

// All once more, with one of the flags that look for something else.
static void hunt_with(struct hunt *h, bool *flag)
{
    if (h->r->count > HUNT_UNLIKELY_RECORDS)
        return;
    *flag = true;
    hunt_one_variable(h);
    *flag = false;
}

static void hunt_loosened(struct hunt *h, bool early)
{
    uint32_t *rounds = rounds_count(&h->regions);
    uint64_t looked_at = 0;
    h->loosened = true;
    for (uint32_t v = 0; v < h->r->variable_count; v++) {
        uint32_t count;
        const struct access_line *lines = accesses_lines(&h->accesses, v, &count);
        if (count < 2 || !(orders_itself(h, lines, count) || (early && hunt_is_published(h, v))))
            continue;
        if (looked_at + h->r->count > HUNT_UNLIKELY_RECORDS) {
            h->found.left_out++;
            continue;
        }
        looked_at += h->r->count;
        struct order usual = h->m.order;
        order_make_without(&h->m.order, h->r, v);
        for (uint32_t i = 0; i < count; i++)
            try_line(h, lines, count, i, rounds);
        if (early)
            hunt_early(h, v);
        order_free(&h->m.order);
        h->m.order = usual;
    }
    h->loosened = false;
    free(rounds);
}

void hunt_unlikely(struct hunt *h, unsigned kinds)
{
    hunt_with(h, &h->parted);
    hunt_loosened(h, kinds >> PREDICT_EARLY & 1);
    hunt_with(h, &h->stale);
}

static void try_merged(struct hunt *h, uint32_t x, uint32_t y, const uint32_t *rounds)
{
    uint32_t count;
    struct pair_line *pairs = pair_lines(h, x, y, &count);
    struct access_line *lines = alloc_zeroed(count, sizeof *lines);
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = (struct access_line){
            .thread = pairs[i].thread, .records = pairs[i].records, .count = pairs[i].record_count, .writes = true};
    }
    for (uint32_t i = 0; i < count; i++)
        try_line(h, lines, count, i, rounds);
    free(lines);
    pair_lines_free(pairs, count);
}

void hunt_merged(struct hunt *h, const struct correlations *c)
{
    uint32_t *rounds = rounds_count(&h->regions);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t v = c->list[i].variables; v != NOT_RECORDED; v = c->variables[v].next)
            try_merged(h, c->variables[v].x, c->variables[v].y, rounds);
    free(rounds);
}
