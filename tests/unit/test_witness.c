// An order is found if and only if trying every order finds one, and it is one.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explore/witness.h"

enum { ACTORS = 4, EACH = 3, OBJECTS = 3, MOST = ACTORS * EACH, WIDTH = 256 };

// Events that are asked about.
struct question {
    uint32_t lanes[ACTORS], first[ACTORS], count;
    uint32_t needs[MOST][WIDTH];
    struct witness_event event[MOST];
};

static bool draw(uint32_t out_of)
{
    return (uint32_t)rand() % out_of == 0;
}

// A write of the same object, or what was there at first.
static uint32_t draw_source(const struct question *q, uint32_t i)
{
    uint32_t found[MOST + 1] = {WITNESS_INITIAL}, n = 1;
    for (uint32_t j = 0; j < q->count; j++)
        if (j != i && q->event[j].writes && q->event[j].object == q->event[i].object)
            found[n++] = j + 1;
    return found[(uint32_t)rand() % n];
}

static void draw_question(struct question *q)
{
    memset(q, 0, sizeof *q);
    for (uint32_t a = 0; a < ACTORS; a++) {
        q->first[a] = q->count;
        q->lanes[a] = (uint32_t)rand() % (EACH + 1);
        for (uint32_t i = 0; i < q->lanes[a]; i++, q->count++)
            q->event[q->count] = (struct witness_event){.actor = a,
                                                        .object = 1 + (uint32_t)rand() % (OBJECTS - 1),
                                                        .guide = q->count,
                                                        .lanes = q->needs[q->count],
                                                        .source = WITNESS_BLIND,
                                                        .writes = draw(2)};
    }
    for (uint32_t i = 0; i < q->count; i++) {
        if (!q->event[i].writes || draw(3))
            q->event[i].source = draw_source(q, i);
        uint32_t other = (uint32_t)rand() % ACTORS;
        if (draw(6) && other != q->event[i].actor)
            q->needs[i][other] = (uint32_t)rand() % (q->lanes[other] + 1);
    }
}

// The state of one order: how far each actor has come, and who wrote last.
struct state {
    uint32_t done[ACTORS], current[OBJECTS];
};

static bool may_follow(const struct question *q, const struct state *s, uint32_t i)
{
    const struct witness_event *e = &q->event[i];
    for (uint32_t a = 0; a < ACTORS; a++)
        if (a != e->actor && q->needs[i][a] > s->done[a])
            return false;
    return e->source == WITNESS_BLIND || e->source == s->current[e->object];
}

static void follow(const struct question *q, struct state *s, uint32_t i)
{
    s->done[q->event[i].actor]++;
    if (q->event[i].writes)
        s->current[q->event[i].object] = i + 1;
}

static bool can_be_had(const struct question *q, struct state s)
{
    bool all = true;
    for (uint32_t a = 0; a < ACTORS; a++) {
        if (s.done[a] == q->lanes[a])
            continue;
        all = false;
        struct state next = s;
        uint32_t i = q->first[a] + s.done[a];
        if (!may_follow(q, &s, i))
            continue;
        follow(q, &next, i);
        if (can_be_had(q, next))
            return true;
    }
    return all;
}

static bool is_an_order(const struct question *q, const uint32_t *order)
{
    struct state s = {0};
    for (uint32_t at = 0; at < q->count; at++) {
        const struct witness_event *e = &q->event[order[at]];
        if (order[at] != q->first[e->actor] + s.done[e->actor] || !may_follow(q, &s, order[at]))
            return false;
        follow(q, &s, order[at]);
    }
    return true;
}

static void agrees_with_trying_everything(void **state)
{
    static struct question q;
    struct witness *w = witness_new(MOST, OBJECTS);
    uint32_t found = 0, none = 0;
    (void)state;
    srand(1);
    for (int i = 0; i < 20000; i++) {
        draw_question(&q);
        memcpy(witness_list(w), q.event, sizeof q.event);
        enum witness_answer answer = witness_find(w, q.lanes, ACTORS, NULL, 0);
        assert_int_equal(answer == WITNESS_FOUND, can_be_had(&q, (struct state){{0}, {0}}));
        if (answer == WITNESS_FOUND)
            assert_true(is_an_order(&q, witness_order(w)));
        found += answer == WITNESS_FOUND;
        none += answer == WITNESS_NONE;
    }
    assert_true(found > 2000 && none > 2000);
    witness_free(w);
}

// The order of a run is kept where it can be.
static void follows_the_guide(void **state)
{
    static struct question q;
    struct witness *w = witness_new(MOST, OBJECTS);
    (void)state;
    q.count = 4;
    q.lanes[0] = q.lanes[1] = 2;
    q.first[1] = 2;
    static const uint32_t guides[] = {0, 3, 1, 2};
    for (uint32_t i = 0; i < 4; i++)
        q.event[i] = (struct witness_event){.actor = i / 2,
                                            .object = 1,
                                            .guide = guides[i],
                                            .lanes = q.needs[i],
                                            .source = WITNESS_BLIND,
                                            .writes = true};
    memcpy(witness_list(w), q.event, sizeof q.event);
    assert_int_equal(witness_find(w, q.lanes, ACTORS, NULL, 0), WITNESS_FOUND);
    for (uint32_t at = 0; at < 4; at++)
        assert_int_equal(guides[witness_order(w)[at]], at);
    witness_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_trying_everything),
                                       cmocka_unit_test(follows_the_guide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
