// Atomicity violations of two variables (McPatom-MV2 of seed 003).
//
// Thread 1 accesses x and then y, thread 2 both in some order. Of all orders of the four accesses, those that no serial order has are
// exactly those in which x1 comes before x2 and conflicts with it, and y2 before y1 and conflicts with it: the seed's four
// patterns in its forms 1, 2 and 4 (form 4 is asked for directly: locks may forbid the exchange that makes form 2 of it). The
// patterns: 1 Rx..Wy, 2 Rx..Ry, 3 Wx..Wy, 4 Wx..Ry in thread 1.
//
// The pair x1, y1 has to be one *instance* of the correlated pair, and so has x2, y2: both in one region, which is the smallest that
// has an access to the other variable for either of them. The seed has no such bound and accuses `{x,y} {y,x}` beside `{x,y}`, all
// under one lock. Where two of the accesses race, the race is told instead.
#include "predict/correlate.h"
#include "predict/pair_lines.h"
#include "predict/prediction_hunt.h"
#include "predict/rounds.h"

#include <stdlib.h>

#include "base/alloc.h"

enum {
    REACH = 6,          // accesses that an instance may have between its two
    SECTION_REACH = 64, // accesses that are looked at to see whether a section has the other variable
    NEAR_INSTANCES = 24,
    MOST_ACCESSES =
        1 << 23, // of all pairs together, and as many more as there are records: where there are more, the pairs that
                 // belong together least are left out
};

// Whether the section around access `at` has an access to the other variable, apart from that at `partner`.
static bool has_other_in_section(const struct hunt *h, const struct pair_line *line, uint32_t at)
{
    const struct section_line *sections = &h->m.sections.lines[line->thread];
    uint32_t position = h->m.order.position[line->records[at]];
    uint32_t node = sections_held(&h->m.sections, line->thread, position);
    for (; node != NOT_RECORDED; node = sections->held[node].below) {
        const struct section *s = &sections->sections[sections->held[node].section];
        for (int step = -1; step <= 1; step += 2)
            for (uint32_t i = at + (uint32_t)step, steps = 0; i < line->record_count && steps < SECTION_REACH;
                 i += (uint32_t)step, steps++) {
                uint32_t there = h->m.order.position[line->records[i]];
                if (there <= s->from || there > s->to)
                    break;
                if (h->r->records[line->records[i]].object != h->r->records[line->records[at]].object)
                    return true;
            }
    }
    return false;
}

static bool is_instance(const struct hunt *h, const struct pair_line *line, uint32_t first, uint32_t second,
                        const uint32_t *rounds, struct bound *bound)
{
    uint32_t a = line->records[first], b = line->records[second];
    if (h->r->records[a].object == h->r->records[b].object ||
        !regions_bound(&h->regions, line->thread, h->m.order.position[a], h->m.order.position[b], bound))
        return false;
    if (bound->kind == BOUND_SECTION || bound->kind == BOUND_DECLARED)
        return true;
    return rounds_same(rounds, a, b) && !has_other_in_section(h, line, first) && !has_other_in_section(h, line, second);
}

static void find_instances(const struct hunt *h, struct pair_line *line, const uint32_t *rounds)
{
    for (uint32_t i = 0; i < line->record_count; i++)
        for (uint32_t k = i + 1; k < line->record_count && k <= i + REACH; k++) {
            struct instance one = {.first = line->records[i], .second = line->records[k]};
            if (!is_instance(h, line, i, k, rounds, &one.bound))
                continue;
            line->instances = alloc_grow(line->instances, line->count, &line->room, sizeof *line->instances);
            line->instances[line->count++] = one;
        }
}

static char pattern_of(const struct hunt *h, uint32_t x1, uint32_t y1)
{
    bool x = record_writes(&h->r->records[x1]), y = record_writes(&h->r->records[y1]);
    return x ? (y ? '3' : '4') : y ? '1' : '2';
}

static void try_instances(struct hunt *h, const struct instance *one, const struct instance *two)
{
    const struct record *e = h->r->records;
    uint32_t x1 = one->first, y1 = one->second;
    bool in_order = e[two->first].object == e[x1].object;
    uint32_t x2 = in_order ? two->first : two->second, y2 = in_order ? two->second : two->first;
    if (!records_conflict(&e[x1], &e[x2]) || !records_conflict(&e[y1], &e[y2]))
        return;
    // Each of the two regions is around an access of the other: the same four in the same order are met from either side.
    if (!in_order && e[x1].thread > e[x2].thread)
        return;
    struct prediction p = {.kind = PREDICT_TWO_VARIABLES,
                           .records = {x1, x2, y2, y1},
                           .record_count = 4,
                           .wishes = {{x1, x2}, {y2, y1}},
                           .wish_count = 2,
                           .pattern = {pattern_of(h, x1, y1)},
                           .bound = one->bound,
                           .other_bound = two->bound};
    uint32_t signature = hunt_signature(h, &p);
    const struct order *o = &h->m.order;
    if (!hunt_is_open(h, signature) || order_before(o, x2, x1) || order_before(o, y1, y2) || hunt_is_meant(h, &p) ||
        hunt_may_race(h, x1, x2) || hunt_may_race(h, y1, y2) ||
        (hunt_is_guarded(h, x1, y1, x2) && hunt_is_guarded(h, x1, y1, y2)))
        return;
    p.lock = hunt_lock_around(h, x1, y1, x2);
    if (p.lock == NOT_RECORDED)
        p.lock = hunt_lock_around(h, two->first, two->second, x1);
    p.handed = hunt_hands_over(h, &p);
    hunt_ask(h, &p, signature);
}

// Each instance with those of the other thread that were the nearest in the recorded run.
static void try_lines(struct hunt *h, const struct pair_line *a, const struct pair_line *b)
{
    uint32_t near = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (near < b->count && b->instances[near].first < a->instances[i].first)
            near++;
        if (hunt_is_worn(h, PREDICT_TWO_VARIABLES, a->instances[i].first, a->instances[i].second, b->thread))
            continue;
        uint32_t from = near > NEAR_INSTANCES ? near - NEAR_INSTANCES : 0;
        for (uint32_t k = from; k < b->count && k < near + NEAR_INSTANCES; k++)
            try_instances(h, &a->instances[i], &b->instances[k]);
        h->found.left_out += from + (b->count > near + NEAR_INSTANCES ? b->count - near - NEAR_INSTANCES : 0);
    }
}

static void try_variables(struct hunt *h, uint32_t x, uint32_t y, const uint32_t *rounds)
{
    uint32_t count;
    struct pair_line *lines = pair_lines(h, x, y, &count);
    for (uint32_t i = 0; i < count; i++)
        find_instances(h, &lines[i], rounds);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (i != k)
                try_lines(h, &lines[i], &lines[k]);
    pair_lines_free(lines, count);
}

static uint64_t count_accesses(const struct hunt *h, uint32_t variable)
{
    uint32_t count;
    uint64_t sum = 0;
    const struct access_line *lines = accesses_lines(&h->accesses, variable, &count);
    for (uint32_t i = 0; i < count; i++)
        sum += lines[i].count;
    return sum;
}

void hunt_two_variables(struct hunt *h, const struct correlations *c)
{
    uint32_t *rounds = rounds_count(&h->regions);
    uint64_t seen = 0;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t v = c->list[i].variables; v != NOT_RECORDED; v = c->variables[v].next) {
            seen += count_accesses(h, c->variables[v].x) + count_accesses(h, c->variables[v].y);
            if (seen <= MOST_ACCESSES + (uint64_t)h->r->count)
                try_variables(h, c->variables[v].x, c->variables[v].y, rounds);
            else
                h->found.left_out++;
        }
    free(rounds);
}
