// Sets of segments that make an execution impossible: the search for circles against trying every set (Theorem 3 of seed
// 001), on random executions; and the execution of its Figure 2.22.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "repair/segments.h"

enum { MOST_EVENTS = 14, MOST_SETS = 4096 };

struct access {
    int actor, call, object;
    bool write;
};

struct example {
    struct access access[MOST_EVENTS];
    uint32_t events;
};

static uint64_t state = 1;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % n;
}

static bool conflict(const struct access *a, const struct access *b)
{
    return a->actor != b->actor && a->object == b->object && (a->write || b->write);
}

// Two or three threads with one or two calls each; every order of their accesses is possible.
static struct example random_example(void)
{
    struct example e = {0};
    int threads = 2 + (int)draw(2), length[3], calls[3], done[3] = {0};
    uint32_t left = 0;
    for (int i = 0; i < threads; i++) {
        length[i] = 1 + (int)draw(threads == 2 ? 6 : 4);
        calls[i] =
            length[i] > 1 ? (int)draw((uint32_t)length[i]) : 0; // where the second one begins; 0: there is only one
        left += (uint32_t)length[i];
    }
    while (left) {
        int actor = (int)draw((uint32_t)threads);
        if (done[actor] == length[actor])
            continue;
        int call = actor * 2 + (calls[actor] && done[actor] >= calls[actor]);
        e.access[e.events++] = (struct access){actor, call, (int)draw(3), draw(2)};
        done[actor]++;
        left--;
    }
    return e;
}

// ---- brute force ----

// `joined` has a bit for each event that is in one block with the actor's event before it.
static void blocks_of(const struct example *e, uint32_t joined, uint32_t *block)
{
    uint32_t last[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    for (uint32_t i = 0; i < e->events; i++) {
        int actor = e->access[i].actor;
        block[i] = joined >> i & 1 ? block[last[actor]] : i;
        last[actor] = i;
    }
}

// Whether no order of the blocks keeps all conflicts: the closure of "comes before" has a circle.
static bool impossible(const struct example *e, uint32_t joined)
{
    uint32_t block[MOST_EVENTS], n = e->events;
    bool before[MOST_EVENTS][MOST_EVENTS] = {0};
    blocks_of(e, joined, block);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (block[i] != block[j] &&
                (e->access[i].actor == e->access[j].actor || conflict(&e->access[i], &e->access[j])))
                before[block[i]][block[j]] = true;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                before[i][j] |= before[i][k] && before[k][j];
    for (uint32_t i = 0; i < n; i++)
        if (before[i][i])
            return true;
    return false;
}

// Events that may be in one block with the one before: of the same call.
static uint32_t joinable(const struct example *e)
{
    uint32_t set = 0;
    int last[3] = {-1, -1, -1};
    for (uint32_t i = 0; i < e->events; i++) {
        if (last[e->access[i].actor] == e->access[i].call)
            set |= 1u << i;
        last[e->access[i].actor] = e->access[i].call;
    }
    return set;
}

static uint32_t smallest_sets(const struct example *e, uint32_t *found)
{
    uint32_t all = joinable(e), count = 0, sets[MOST_SETS], kept = 0;
    for (uint32_t joined = all;; joined = (joined - 1) & all) {
        if (impossible(e, joined))
            sets[count++] = joined;
        if (!joined)
            break;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool smallest = true;
        for (uint32_t j = 0; j < count; j++)
            smallest &= i == j || (sets[i] & sets[j]) != sets[j];
        if (smallest)
            found[kept++] = sets[i];
    }
    return kept;
}

// ---- comparing ----

static uint32_t edges_of(const struct example *e, struct segment_edge *edge)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->events; i++)
        for (uint32_t j = i + 1; j < e->events; j++)
            if (conflict(&e->access[i], &e->access[j]))
                edge[count++] = (struct segment_edge){i, j};
    return count;
}

static uint32_t joined_by(const struct example *e, const struct segment_set *set)
{
    uint32_t joined = 0;
    for (uint32_t s = 0; s < set->count; s++)
        for (uint32_t i = set->segment[s].first + 1; i <= set->segment[s].last; i++)
            if (e->access[i].actor == e->access[set->segment[s].first].actor)
                joined |= 1u << i;
    return joined;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static size_t compare(const struct example *e)
{
    struct segment_event event[MOST_EVENTS];
    struct segment_edge edge[MOST_EVENTS * MOST_EVENTS];
    struct segment_sets sets;
    static uint32_t expected[MOST_SETS], found[MOST_SETS];
    uint32_t block[MOST_EVENTS];
    for (uint32_t i = 0; i < e->events; i++)
        event[i] = (struct segment_event){(uint16_t)e->access[i].actor, (uint16_t)e->access[i].call};
    struct segment_run run = {event, e->events, edge, edges_of(e, edge)};
    segments_find(&run, &sets);
    assert_true(sets.all);
    uint32_t count = smallest_sets(e, expected);
    assert_int_equal(sets.count, count);
    for (size_t i = 0; i < sets.count; i++)
        found[i] = joined_by(e, &sets.set[i]);
    qsort(found, count, sizeof *found, by_number);
    qsort(expected, count, sizeof *expected, by_number);
    assert_memory_equal(found, expected, count * sizeof *found);
    uint32_t any = joinable(e) & (uint32_t)(draw(UINT32_MAX));
    blocks_of(e, any, block);
    assert_int_equal(segments_circle(&run, block), impossible(e, any));
    segments_free(&sets);
    return count;
}

static void equals_brute_force(void **nothing)
{
    (void)nothing;
    size_t with = 0;
    for (int i = 0; i < 10000; i++) {
        struct example e = random_example();
        with += compare(&e) > 0;
    }
    assert_true(with > 2000);
}

// T2 pushes b into place 1. T1: push(a) has taken place 2 and not yet stored. Both pops find place 2 empty and then b in
// place 1, which neither has cleared yet. Lines are those of Figure 2.21.
static void figure_2_22(void **nothing)
{
    (void)nothing;
    enum { RANGE, ITEM1, ITEM2 };
    static const struct {
        struct access access;
        int line;
    } step[] = {
        {{1, 1, RANGE, true}, 2},  {{1, 1, ITEM1, true}, 3}, {{0, 0, RANGE, true}, 2},  {{1, 2, RANGE, false}, 5},
        {{1, 2, ITEM2, false}, 8}, {{1, 2, ITEM2, true}, 9}, {{1, 2, ITEM1, false}, 8}, {{2, 3, RANGE, false}, 5},
        {{2, 3, ITEM2, false}, 8}, {{2, 3, ITEM2, true}, 9}, {{2, 3, ITEM1, false}, 8}, {{2, 3, ITEM1, true}, 9},
        {{1, 2, ITEM1, true}, 9},  {{0, 0, ITEM2, true}, 3},
    };
    struct example e = {.events = sizeof step / sizeof *step};
    struct segment_event event[MOST_EVENTS];
    struct segment_edge edge[MOST_EVENTS * MOST_EVENTS];
    struct segment_sets sets;
    bool push = false, pop = false;
    for (uint32_t i = 0; i < e.events; i++) {
        e.access[i] = step[i].access;
        event[i] = (struct segment_event){(uint16_t)e.access[i].actor, (uint16_t)e.access[i].call};
    }
    struct segment_run run = {event, e.events, edge, edges_of(&e, edge)};
    segments_find(&run, &sets);
    for (size_t i = 0; i < sets.count; i++) {
        assert_int_equal(sets.set[i].count, 1);
        int first = step[sets.set[i].segment[0].first].line, last = step[sets.set[i].segment[0].last].line;
        assert_true((first == 2 && last == 3) || (first == 8 && last == 9));
        push |= first == 2;
        pop |= first == 8;
    }
    assert_true(push && pop);
    segments_free(&sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),
        cmocka_unit_test(figure_2_22),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
