// Groups, clocks and races of an execution are what pairwise dependence and its transitive closure say, and cutting back
// leaves the execution as if the rest had never been.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/exec.h"

enum { EVENTS = 60, OBJECTS = 4, ACTORS = 12, ITEMS = 200 };

// One thing that was done to the execution, so that it can be done to another one.
struct item {
    enum { JOIN, EVENT, CREATE, WAKE, RELEASE, RELEASE_SHARED, PARK, LEAVE } what;
    uint32_t actor;
    uint32_t other; // joined, waking, or the object
    uint32_t effect, alternative, state;
    struct op op;
};

static struct exec exec;
static struct item script[ITEMS];
static uint32_t items;

// Happens-before by brute force.
static struct {
    bool before[EVENTS]; // what its actor knew just before
    bool past[EVENTS];   // and what it depends on, itself included
} naive[EVENTS];
static bool knows[ACTORS][EVENTS];

static uint32_t below(uint32_t limit)
{
    return (uint32_t)rand() % limit;
}

static void join(bool *into, const bool *other)
{
    for (int i = 0; i < EVENTS; i++)
        into[i] |= other[i];
}

static void do_item(struct exec *x, const struct item *i)
{
    switch (i->what) {
    case JOIN:
    case WAKE:
        exec_learn(x, i->actor, x->actors[i->other].clock);
        break;
    case EVENT:
        exec_append(x, i->actor, i->effect, i->alternative);
        break;
    case CREATE:
        exec_create(x, i->actor);
        break;
    case RELEASE:
        exec_release(x, i->actor, i->other);
        break;
    case RELEASE_SHARED:
        exec_release_shared(x, i->actor, i->other);
        break;
    case PARK:
        exec_park(x, i->actor, i->op);
        break;
    case LEAVE:
        exec_leave(x, i->actor, i->state);
        break;
    }
}

static void do_new(struct item i)
{
    assert_true(items < ITEMS);
    script[items++] = i;
    do_item(&exec, &i);
}

static bool depend(const struct event *a, const struct event *b)
{
    return ops_depend(a->effect, a->object, b->effect, b->object);
}

static void reason_about(uint32_t number)
{
    const struct event *e = &exec.events[number];
    memcpy(naive[number].before, knows[e->actor], sizeof naive[number].before);
    memcpy(naive[number].past, knows[e->actor], sizeof naive[number].past);
    for (uint32_t i = 0; i < number; i++)
        if (depend(&exec.events[i], e))
            join(naive[number].past, naive[i].past);
    naive[number].past[number] = true;
    memcpy(knows[e->actor], naive[number].past, sizeof naive[number].past);
}

// What is known of the actors is computed again from the script.
static void reason_again(void)
{
    uint32_t number = 0;
    memset(knows, 0, sizeof knows);
    memset(naive, 0, sizeof naive);
    uint32_t children[ACTORS] = {0};
    for (uint32_t i = 0; i < items; i++) {
        const struct item *item = &script[i];
        if (item->what == EVENT)
            reason_about(number++);
        else if (item->what == WAKE || item->what == JOIN)
            join(knows[item->actor], knows[item->other]);
        else if (item->what == CREATE)
            for (uint32_t id = 1; id < exec.known; id++)
                if (exec.actors[id].parent == item->actor && exec.actors[id].number == children[item->actor])
                    memcpy(knows[id], knows[item->actor], sizeof *knows);
        children[item->actor] += item->what == CREATE;
    }
    assert_int_equal(number, exec.count);
}

static void assert_clock(const struct exec *x, clock_id clock, const bool *expected)
{
    for (uint32_t actor = 0; actor < x->known; actor++) {
        uint32_t known = 0;
        for (uint32_t i = 0; i < x->count; i++)
            known += expected[i] && x->events[i].actor == actor;
        assert_int_equal(clock_lane(&x->clocks, clock, actor), known);
    }
}

static bool is_between(uint32_t first, uint32_t last)
{
    for (uint32_t i = first + 1; i < last; i++)
        if (naive[i].past[first] && naive[last].past[i])
            return true;
    return false;
}

static void assert_races(const struct exec *x, uint32_t last)
{
    uint32_t races[MAX_ACTORS + EVENTS];
    bool found[EVENTS] = {false};
    uint32_t n = exec_races(x, last, races);
    for (uint32_t i = 0; i < n; i++) {
        assert_true(races[i] < last);
        assert_false(found[races[i]]); // each once
        found[races[i]] = true;
    }
    const struct event *e = &x->events[last];
    for (uint32_t i = 0; i < last; i++) {
        bool expected = x->events[i].actor != e->actor && depend(&x->events[i], e) && !naive[last].before[i] &&
                        !is_between(i, last);
        assert_int_equal(found[i], expected);
    }
}

static void assert_as_reasoned(void)
{
    reason_again();
    for (uint32_t i = 0; i < exec.count; i++) {
        assert_clock(&exec, exec.events[i].before, naive[i].before);
        assert_clock(&exec, exec.events[i].clock, naive[i].past);
        if (exec.events[i].effect != EFFECT_ALL || i + 1 == exec.count)
            assert_races(&exec, i);
        for (uint32_t k = 0; k < i; k++)
            assert_int_equal(clock_knows(&exec, exec.events[i].clock, &exec.events[k]), naive[i].past[k]);
    }
    for (uint32_t id = 0; id < exec.known; id++)
        if (exec.actors[id].state != ACTOR_ABSENT)
            assert_clock(&exec, exec.actors[id].clock, knows[id]);
}

static void assert_same_clock(const struct exec *x, clock_id a, const struct exec *y, clock_id b)
{
    for (uint32_t actor = 0; actor < x->known; actor++)
        assert_int_equal(clock_lane(&x->clocks, a, actor), clock_lane(&y->clocks, b, actor));
}

static void assert_same_event(const struct exec *x, const struct exec *y, uint32_t number)
{
    const struct event *a = &x->events[number], *b = &y->events[number];
    assert_int_equal(a->actor, b->actor);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->effect, b->effect);
    assert_int_equal(a->object, b->object);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->alternative, b->alternative);
    assert_int_equal(a->alternatives, b->alternatives);
    assert_same_clock(x, a->before, y, b->before);
    assert_same_clock(x, a->clock, y, b->clock);
    assert_int_equal(a->conflicts, b->conflicts);
    assert_int_equal(a->peer, b->peer);
    assert_int_equal(a->old_last, b->old_last);
}

static void assert_same_object(const struct exec *x, const struct exec *y, uint32_t number)
{
    const struct object *a = &x->objects[number], *b = &y->objects[number];
    assert_int_equal(a->group, b->group);
    assert_int_equal(a->conflicts, b->conflicts);
    assert_int_equal(a->holder, b->holder);
    assert_int_equal(a->taken, b->taken);
    assert_same_clock(x, a->released, y, b->released);
    assert_same_clock(x, a->shared, y, b->shared);
    assert_int_equal(a->effect, b->effect);
}

static void assert_same_actor(const struct exec *x, const struct exec *y, uint32_t id)
{
    const struct actor *a = &x->actors[id], *b = &y->actors[id];
    assert_int_equal(a->parent, b->parent);
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->state, b->state);
    assert_int_equal(exec_is_parked(x, id), a->state == ACTOR_PARKED);
    if (a->state == ACTOR_ABSENT)
        return;
    assert_same_clock(x, a->clock, y, b->clock);
    assert_int_equal(a->last, b->last);
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->children, b->children);
    if (a->state == ACTOR_PARKED)
        assert_memory_equal(&a->pending, &b->pending, sizeof a->pending);
}

static void assert_same(const struct exec *x, const struct exec *y)
{
    assert_int_equal(x->count, y->count);
    assert_int_equal(x->known, y->known);
    assert_int_equal(x->live, y->live);
    assert_memory_equal(x->parked, y->parked, sizeof x->parked);
    for (uint32_t i = 0; i < x->count; i++)
        assert_same_event(x, y, i);
    for (uint32_t i = 0; i <= OBJECTS; i++)
        assert_same_object(x, y, i);
    for (uint32_t id = 0; id < x->known; id++)
        assert_same_actor(x, y, id);
}

// The script done from the start, by actors with the same names.
static void assert_as_if_built_anew(void)
{
    struct exec fresh;
    exec_init(&fresh, EVENTS, OBJECTS + 1);
    fresh.known = exec.known;
    clock_pool_widen(&fresh.clocks, fresh.known);
    for (uint32_t id = 0; id < exec.known; id++) {
        fresh.actors[id].parent = exec.actors[id].parent;
        fresh.actors[id].number = exec.actors[id].number;
    }
    for (uint32_t i = 0; i < items; i++)
        do_item(&fresh, &script[i]);
    assert_same(&exec, &fresh);
    exec_free(&fresh);
}

static struct op some_op(void)
{
    static const uint8_t kinds[] = {OP_LOAD, OP_LOAD, OP_STORE, OP_RMW, OP_WAIT, OP_WAIT, OP_CHOOSE, OP_JOIN};
    return (struct op){
        .kind = kinds[below(sizeof kinds)], .alternatives = (uint16_t)(1 + below(3)), .object = 1 + below(OBJECTS)};
}

static uint32_t some_actor(enum actor_state state)
{
    uint32_t id = below(exec.known);
    for (uint32_t i = 0; i < exec.known; i++)
        if (exec.actors[(id + i) % exec.known].state == state)
            return (id + i) % exec.known;
    return MAX_ACTORS;
}

static void maybe_create(uint32_t parent)
{
    if (below(8) || exec.known >= ACTORS)
        return;
    do_new((struct item){.what = CREATE, .actor = parent});
    for (uint32_t id = 1; id < exec.known; id++)
        if (exec.actors[id].parent == parent && exec.actors[id].number + 1 == exec.actors[parent].children)
            do_new((struct item){.what = PARK, .actor = id, .op = some_op()});
}

static void maybe_wake(uint32_t actor)
{
    uint32_t other = some_actor(ACTOR_WAITING);
    if (below(3) || other == MAX_ACTORS || other == actor)
        return;
    do_new((struct item){.what = WAKE, .actor = other, .other = actor});
    do_new((struct item){.what = PARK, .actor = other, .op = some_op()});
}

static void go_on(uint32_t actor)
{
    uint32_t dice = below(16);
    if (dice < 2 && some_actor(ACTOR_PARKED) != MAX_ACTORS)
        do_new((struct item){.what = LEAVE, .actor = actor, .state = dice ? ACTOR_WAITING : ACTOR_ENDED});
    else
        do_new((struct item){.what = PARK, .actor = actor, .op = some_op()});
}

// One step of an actor, with all that a target may do during it. Joining comes before the event.
static void step(void)
{
    uint32_t actor = some_actor(ACTOR_PARKED), ended = some_actor(ACTOR_ENDED);
    struct op op = exec.actors[actor].pending;
    if (op.kind == OP_JOIN && ended != MAX_ACTORS)
        do_new((struct item){.what = JOIN, .actor = actor, .other = ended});
    uint32_t effect = op_table[op.kind].varies && below(2) ? EFFECT_READ : op_table[op.kind].at_most;
    do_new((struct item){.what = EVENT, .actor = actor, .effect = effect, .alternative = below(op.alternatives)});
    maybe_create(actor);
    maybe_wake(actor);
    if (!below(8))
        do_new((struct item){.what = below(2) ? RELEASE : RELEASE_SHARED, .actor = actor, .other = 1 + below(OBJECTS)});
    go_on(actor);
}

static void cut(uint32_t count)
{
    exec_cut(&exec, count);
    uint32_t number = 0;
    for (uint32_t i = 0; i < items; i++)
        if (script[i].what == EVENT && number++ == count)
            items = i;
}

static void start(void)
{
    do_new((struct item){.what = PARK, .actor = 0, .op = some_op()});
    for (int i = 0; i < 2; i++) {
        do_new((struct item){.what = CREATE, .actor = 0});
        do_new((struct item){.what = PARK, .actor = 1 + (uint32_t)i, .op = some_op()});
    }
}

static void build(uint32_t events)
{
    while (exec.count < events && items < ITEMS - 8)
        step();
}

static int set_up(void **state)
{
    (void)state;
    srand(1);
    exec_init(&exec, EVENTS, OBJECTS + 1);
    items = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    exec_free(&exec);
    return 0;
}

static void again(void)
{
    exec_free(&exec);
    exec_init(&exec, EVENTS, OBJECTS + 1);
    items = 0;
    start();
}

// An event of actor `actor` on object 1.
static uint32_t event(uint32_t actor, enum op_kind kind)
{
    do_new((struct item){.what = PARK, .actor = actor, .op = {.kind = (uint8_t)kind, .alternatives = 1, .object = 1}});
    do_new((struct item){.what = EVENT, .actor = actor, .effect = op_table[kind].at_most});
    return exec.count - 1;
}

static void reads_stand_in_one_group(void **state)
{
    (void)state;
    start();
    uint32_t write = event(0, OP_STORE), first = event(1, OP_LOAD), second = event(2, OP_LOAD);
    assert_int_equal(exec.events[write].conflicts, NO_EVENT);
    assert_int_equal(exec.events[first].conflicts, write);
    assert_int_equal(exec.events[first].peer, NO_EVENT);
    assert_int_equal(exec.events[second].conflicts, write);
    assert_int_equal(exec.events[second].peer, first);
    assert_false(clock_knows(&exec, exec.events[second].clock, &exec.events[first]));
    assert_true(clock_knows(&exec, exec.events[second].clock, &exec.events[write]));
}

static uint32_t store_that_may_look(uint32_t actor)
{
    struct op op = {.kind = OP_STORE, .looks = true, .alternatives = 1, .object = 1};
    do_new((struct item){.what = PARK, .actor = actor, .op = op});
    do_new((struct item){.what = EVENT, .actor = actor, .effect = EFFECT_WRITE});
    return exec.count - 1;
}

static bool is_known(uint32_t event, uint32_t by)
{
    return clock_knows(&exec, exec.events[by].clock, &exec.events[event]);
}

// What comes before what is what an event could not have happened without: the writes that somebody looked at.
static void by_sources_only_what_is_looked_at_is_known(void **state)
{
    (void)state;
    start();
    exec_by_sources(&exec, true);
    uint32_t overwritten = event(0, OP_STORE), last = event(1, OP_STORE), look = event(2, OP_LOAD),
             add = event(3, OP_RMW);
    assert_false(is_known(overwritten, last));
    assert_true(is_known(last, look) && !is_known(overwritten, look));
    assert_true(is_known(last, add) && !is_known(look, add));
    assert_int_equal(exec_source(&exec.events[look]), last);
    assert_int_equal(exec_source(&exec.events[add]), last);
    uint32_t blind = event(1, OP_STORE);
    assert_false(is_known(add, blind));
    assert_false(exec.events[blind].looks);
    // One that may continue what its actor began looks, if that actor has changed the object before.
    uint32_t first = store_that_may_look(2), second = store_that_may_look(1);
    assert_true(!exec.events[first].looks && exec.events[second].looks);
    assert_true(is_known(first, second));
    exec_by_sources(&exec, false);
}

static void additions_stand_in_one_group(void **state)
{
    (void)state;
    start();
    uint32_t first = event(1, OP_WAIT), second = event(2, OP_WAIT), read = event(0, OP_LOAD);
    assert_int_equal(exec.events[second].peer, first);
    assert_int_equal(exec.events[second].conflicts, NO_EVENT);
    assert_int_equal(exec.events[read].peer, NO_EVENT);
    assert_int_equal(exec.events[read].conflicts, second);
    uint32_t races[MAX_ACTORS + EVENTS];
    assert_int_equal(exec_races(&exec, read, races), 2);
}

static void every_write_is_a_group(void **state)
{
    (void)state;
    start();
    uint32_t first = event(1, OP_STORE), second = event(2, OP_STORE), third = event(0, OP_STORE);
    assert_int_equal(exec.events[second].peer, NO_EVENT);
    assert_int_equal(exec.events[second].conflicts, first);
    uint32_t races[MAX_ACTORS + EVENTS];
    assert_int_equal(exec_races(&exec, third, races), 1);
    assert_int_equal(races[0], second);
}

static void a_lock_races_with_the_lock_before_not_with_its_release(void **state)
{
    (void)state;
    start();
    uint32_t first = event(1, OP_LOCK), release = event(1, OP_UNLOCK);
    do_new((struct item){.what = RELEASE, .actor = 1, .other = 1});
    uint32_t second = event(2, OP_LOCK), races[MAX_ACTORS + EVENTS];
    assert_int_equal(exec_races(&exec, second, races), 1);
    assert_int_equal(races[0], first);
    assert_true(clock_knows(&exec, exec.events[second].clock, &exec.events[release]));
    assert_false(clock_knows(&exec, event_past(&exec.events[second]), &exec.events[first]));
    exec_park(&exec, 0, (struct op){.kind = OP_LOCK, .alternatives = 1, .object = 1});
    assert_int_equal(exec_pending_race(&exec, 0, false), second);
    exec_cut(&exec, second);
    exec_park(&exec, 0, (struct op){.kind = OP_LOCK, .alternatives = 1, .object = 1});
    assert_int_equal(exec_pending_race(&exec, 0, false), first);
}

// Two actors with an event each have ended; the last one makes an event that knows neither, and joins them.
static void end_and_join(uint32_t ended[2])
{
    start();
    for (uint32_t actor = 1; actor <= 2; actor++) {
        ended[actor - 1] = event(actor, OP_LOAD);
        exec_leave(&exec, actor, ACTOR_ENDED);
    }
    event(0, OP_CHOOSE);
    exec_join(&exec, 0, 1);
    exec_join(&exec, 0, 2);
}

static void the_last_actor_knows_whom_it_joined_when_it_is_asked(void **state)
{
    (void)state;
    uint32_t ended[2];
    for (int how = 0; how < 4; how++) {
        end_and_join(ended);
        if (how == 0)
            exec_park(&exec, 0, (struct op){.kind = OP_LOAD, .alternatives = 1, .object = 2});
        else if (how == 1)
            exec_release(&exec, 0, 2);
        else if (how == 2)
            exec_leave(&exec, 0, ACTOR_WAITING);
        clock_id clock = how < 3 ? exec.actors[0].clock : exec.actors[exec_create(&exec, 0)].clock;
        for (int i = 0; i < 2; i++)
            assert_true(clock_knows(&exec, clock, &exec.events[ended[i]]));
        exec_cut(&exec, 2);
        assert_int_equal(exec.actors[0].clock, 0);
        exec_free(&exec);
        set_up(NULL);
    }
}

static void what_was_joined_and_not_asked_for_goes_with_its_step(void **state)
{
    (void)state;
    uint32_t ended[2];
    end_and_join(ended);
    exec_cut(&exec, 2);
    uint32_t later = event(0, OP_STORE);
    for (int i = 0; i < 2; i++)
        assert_false(clock_knows(&exec, exec.events[later].before, &exec.events[ended[i]]));
}

static void clocks_and_races_are_as_reasoned(void **state)
{
    (void)state;
    start();
    for (int round = 0; round < 300; round++) {
        again();
        build(2 + below(EVENTS - 3));
        assert_as_reasoned();
        uint32_t last = some_actor(ACTOR_PARKED);
        do_new((struct item){.what = PARK, .actor = last, .op = {.kind = OP_EXIT, .alternatives = 1, .object = 0}});
        do_new((struct item){.what = EVENT, .actor = last, .effect = EFFECT_ALL});
        assert_as_reasoned();
    }
}

static void any_prefix_is_as_if_built_anew(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        again();
        build(30);
        for (uint32_t count = exec.count; count-- > 0;) {
            cut(count);
            assert_as_if_built_anew();
        }
    }
}

static void after_a_cut_another_way_is_as_if_built_anew(void **state)
{
    (void)state;
    start();
    for (int round = 0; round < 1000; round++) {
        if (round % 50 == 0)
            again();
        build(exec.count + below(EVENTS - exec.count));
        assert_as_if_built_anew();
        cut(below(exec.count + 1));
        assert_as_if_built_anew();
        if (round % 10 == 0)
            assert_as_reasoned();
    }
}

static void a_restart_forgets_all_but_identities(void **state)
{
    (void)state;
    start();
    build(40);
    uint32_t known = exec.known;
    assert_true(known > 3);
    exec_restart(&exec);
    items = 0;
    assert_int_equal(exec.known, known);
    assert_int_equal(exec.live, 1);
    for (uint32_t id = 1; id < known; id++)
        assert_int_equal(exec.actors[id].state, ACTOR_ABSENT);
    assert_as_if_built_anew();
    start();
    build(40);
    assert_as_if_built_anew();
    assert_as_reasoned();
}

static void the_nth_child_is_always_the_same_actor(void **state)
{
    (void)state;
    start();
    event(1, OP_CHOOSE);
    uint32_t elder = exec_create(&exec, 1), younger = exec_create(&exec, 1);
    assert_int_not_equal(elder, younger);
    exec_cut(&exec, 0);
    assert_int_equal(exec.actors[elder].state, ACTOR_ABSENT);
    exec_append(&exec, 0, EFFECT_READ, 0);
    uint32_t stranger = exec_create(&exec, 0);
    assert_int_not_equal(stranger, elder);
    assert_int_not_equal(stranger, younger);
    exec_append(&exec, 1, EFFECT_NONE, 0);
    assert_int_equal(exec_create(&exec, 1), elder);
    assert_int_equal(exec_create(&exec, 1), younger);
    exec_cut(&exec, 1);
    assert_int_equal(exec.actors[stranger].state, ACTOR_WAITING);
    assert_int_equal(exec.actors[elder].state, ACTOR_ABSENT);
}

static void there_are_only_so_many_actors(void **state)
{
    (void)state;
    for (uint32_t id = 1; id < MAX_ACTORS; id++)
        assert_int_equal(exec_create(&exec, 0), id);
    assert_int_equal(exec_create(&exec, 0), MAX_ACTORS);
    assert_int_equal(exec.live, MAX_ACTORS);
}

static void what_one_learns_in_two_steps_is_forgotten_step_by_step(void **state)
{
    (void)state;
    start();
    exec_leave(&exec, 0, ACTOR_WAITING);
    event(1, OP_CHOOSE);
    do_new((struct item){.what = WAKE, .actor = 0, .other = 1});
    uint32_t second = event(2, OP_CHOOSE);
    do_new((struct item){.what = WAKE, .actor = 0, .other = 2});
    assert_int_equal(clock_lane(&exec.clocks, exec.actors[0].clock, 2), 1);
    exec_cut(&exec, second);
    assert_int_equal(clock_lane(&exec.clocks, exec.actors[0].clock, 1), 1);
    assert_int_equal(clock_lane(&exec.clocks, exec.actors[0].clock, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_stand_in_one_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(additions_stand_in_one_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(by_sources_only_what_is_looked_at_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_write_is_a_group, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lock_races_with_the_lock_before_not_with_its_release, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_actor_knows_whom_it_joined_when_it_is_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_joined_and_not_asked_for_goes_with_its_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(clocks_and_races_are_as_reasoned, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_prefix_is_as_if_built_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(after_a_cut_another_way_is_as_if_built_anew, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_restart_forgets_all_but_identities, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_nth_child_is_always_the_same_actor, set_up, tear_down),
        cmocka_unit_test_setup_teardown(there_are_only_so_many_actors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_one_learns_in_two_steps_is_forgotten_step_by_step, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
