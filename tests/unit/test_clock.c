// Clocks are copied, joined and widened lane by lane, and no clock but the one that is changed changes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/clock.h"

enum { CLOCKS = 60, ACTORS = 256, LIMIT = (CLOCKS + 1) * ACTORS };

// The pool and what each of its clocks should be.
static struct clock_pool pool;
static uint32_t expected[CLOCKS][ACTORS];

static int set_up(void **state)
{
    (void)state;
    srand(1);
    clock_pool_init(&pool, 8, LIMIT);
    for (int i = 0; i < CLOCKS; i++)
        for (int a = 0; a < ACTORS; a++)
            expected[i][a] = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    clock_pool_free(&pool);
    return 0;
}

static void assert_all_as_expected(void)
{
    for (clock_id id = 0; id < pool.count; id++)
        for (uint32_t a = 0; a < pool.width; a++)
            assert_int_equal(clock_lane(&pool, id, a), expected[id][a]);
}

static void set_lane(clock_id id, uint32_t actor, uint32_t value)
{
    clock_lanes(&pool, id)[actor] = expected[id][actor] = value;
}

static clock_id copy(clock_id from)
{
    clock_id id = clock_copy(&pool, from);
    for (uint32_t a = 0; a < ACTORS; a++)
        expected[id][a] = expected[from][a];
    return id;
}

static void join(clock_id into, clock_id other)
{
    clock_join(&pool, into, other);
    for (uint32_t a = 0; a < ACTORS; a++)
        if (expected[other][a] > expected[into][a])
            expected[into][a] = expected[other][a];
}

static void the_first_clock_knows_nothing(void **state)
{
    (void)state;
    assert_int_equal(pool.count, 1);
    assert_all_as_expected();
}

static void widths_are_multiples_of_four(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 17; width++) {
        struct clock_pool other;
        clock_pool_init(&other, width, 64);
        assert_int_equal(other.width, (width + 3) / 4 * 4);
        clock_pool_free(&other);
    }
    clock_pool_widen(&pool, 9);
    assert_int_equal(pool.width, 12);
    clock_pool_widen(&pool, 5); // never narrower
    assert_int_equal(pool.width, 12);
}

static void a_copy_is_its_own(void **state)
{
    (void)state;
    clock_id first = copy(0);
    set_lane(first, 3, 7);
    clock_id second = copy(first);
    assert_int_equal(second, first + 1);
    set_lane(second, 3, 9);
    set_lane(first, 0, 1);
    assert_all_as_expected();
}

static void a_copy_overwrites_what_was_forgotten(void **state)
{
    (void)state;
    clock_id id = copy(0);
    set_lane(id, 5, 5);
    pool.count = id;
    assert_int_equal(copy(0), id);
    assert_all_as_expected();
}

static void lanes_beyond_two_to_the_31_are_greater(void **state)
{
    (void)state;
    clock_id small = copy(0), large = copy(0);
    set_lane(small, 1, 1);
    set_lane(large, 1, UINT32_MAX);
    set_lane(small, 2, UINT32_MAX);
    set_lane(large, 2, 1u << 31);
    join(small, large);
    assert_all_as_expected();
}

static void a_join_with_itself_or_nothing_changes_nothing(void **state)
{
    (void)state;
    clock_id id = copy(0);
    for (uint32_t a = 0; a < pool.width; a++)
        set_lane(id, a, (uint32_t)rand());
    clock_join(&pool, id, id);
    clock_join(&pool, id, 0);
    assert_all_as_expected();
}

static void widening_keeps_all_clocks(void **state)
{
    (void)state;
    for (uint32_t actors = 8; actors <= ACTORS; actors += 1 + (uint32_t)rand() % 40) {
        clock_pool_widen(&pool, actors);
        assert_true(pool.width >= actors);
        assert_all_as_expected();
        clock_id id = copy((clock_id)rand() % pool.count);
        for (uint32_t a = 0; a < pool.width; a++)
            set_lane(id, a, 1 + (uint32_t)rand());
    }
}

static void random_work_keeps_lanes(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        clock_id any = (clock_id)rand() % pool.count, other = (clock_id)rand() % pool.count;
        switch (rand() % 8) {
        case 0:
            clock_pool_widen(&pool, 1 + (uint32_t)(rand() % 50 ? rand() % 12 : rand() % ACTORS));
            break;
        case 1:
            pool.count = 1 + (uint32_t)rand() % pool.count;
            break;
        case 2:
        case 3:
            if (any)
                join(any, other);
            break;
        case 4:
            if (any)
                set_lane(any, (uint32_t)rand() % pool.width, (uint32_t)rand() * 2u);
            break;
        default:
            if (pool.count < CLOCKS)
                copy(any);
        }
        assert_all_as_expected();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_clock_knows_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(widths_are_multiples_of_four, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_copy_is_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_copy_overwrites_what_was_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lanes_beyond_two_to_the_31_are_greater, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_join_with_itself_or_nothing_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(widening_keeps_all_clocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_work_keeps_lanes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
