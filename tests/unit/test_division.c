// Units of a search that others explore: what comes back stands in the place of what was handed out, in the order of one worker.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "spread/division.h"

static struct saved_search fresh(void)
{
    struct saved_search search = {.threads = {.count = 1}};
    search.before.answer = alloc_zeroed(1, sizeof *search.before.answer);
    search.before.steps = alloc_zeroed(1, sizeof *search.before.steps);
    return search;
}

// What a holder brings back: units with so many executions; a negative number is of one that is not done.
static struct saved_search brought(const int *executions, size_t count)
{
    struct saved_search search = fresh();
    search.last = NO_UNIT;
    for (size_t i = 0; i < count; i++) {
        int n = executions[i];
        saved_add_unit(&search, &(struct counts){.executions = (uint64_t)(n < 0 ? -n : n)},
                       n < 0 ? &(struct search_part){.whole = 1} : NULL);
    }
    return search;
}

static struct division begun(void)
{
    struct saved_search search = fresh();
    struct division division;
    saved_begin(&search);
    division_open(&division, &search);
    return division;
}

static void hand_out(struct division *d, int holder)
{
    struct saved_search unit;
    assert_true(division_hand_out(d, holder, &unit));
    saved_free(&unit);
}

static void units_stand_in_the_place_of_what_was_handed_out(void **state)
{
    (void)state;
    struct division d = begun();
    struct saved_search all, result = brought((const int[]){-3, 5, -7}, 3);
    hand_out(&d, 1);
    division_take_back(&d, 1, &result);
    assert_int_equal(division_count(&d, ITEM_WAITS), 2);
    hand_out(&d, 1);
    hand_out(&d, 2);
    result = brought((const int[]){4, -1}, 2); // the first one becomes two
    division_take_back(&d, 1, &result);
    division_collect(&d, &all);
    assert_int_equal(all.units, 2); // 4 and then 1 are left of the first; 5 that are done go with the 7 of the last
    assert_int_equal(all.unit[0].counts.executions, 5);
    assert_int_equal(all.unit[1].counts.executions, 12);
    saved_free(&all);
    division_free(&d);
}

static void actors_with_other_numbers_are_refused(void **state)
{
    (void)state;
    struct division d = begun();
    struct saved_search result = brought((const int[]){-3, -4}, 2);
    hand_out(&d, 1);
    division_take_back(&d, 1, &result);
    hand_out(&d, 1);
    hand_out(&d, 2);
    result = brought((const int[]){9}, 1);
    result.threads = (struct job_threads){.count = 2, .thread = {[1] = {0, 1}}};
    division_take_back(&d, 1, &result);
    result = brought((const int[]){8}, 1);
    result.threads = (struct job_threads){.count = 2, .thread = {[1] = {0, 2}}};
    division_take_back(&d, 2, &result);
    assert_int_equal(d.refused, 1);
    assert_int_equal(division_count(&d, ITEM_DONE), 1);
    assert_int_equal(division_count(&d, ITEM_WAITS), 1);
    division_free(&d);
}

static void what_comes_after_the_end_is_dropped(void **state)
{
    (void)state;
    struct division d = begun();
    struct saved_search result = brought((const int[]){-1, -2, -3}, 3);
    hand_out(&d, 1);
    division_take_back(&d, 1, &result);
    hand_out(&d, 1);
    hand_out(&d, 2);
    hand_out(&d, 3);
    result = brought((const int[]){-2}, 1);
    result.last = 0;
    division_take_back(&d, 2, &result);
    assert_true(division_has(&d, 1));
    assert_false(division_has(&d, 3));
    result = brought((const int[]){50}, 1);
    division_take_back(&d, 3, &result); // nobody wants it
    assert_int_equal(division_count(&d, ITEM_LAST), 1);
    assert_int_equal(division_count(&d, ITEM_DONE), 0);
    division_free(&d);
}

static void bytes_become_the_same_search_or_none(void **state)
{
    (void)state;
    struct saved_search search = brought((const int[]){3, -4}, 2), copy;
    struct buffer bytes = {0};
    saved_write(&search, &bytes);
    assert_true(saved_read(&copy, bytes.text, bytes.length));
    assert_int_equal(copy.units, 2);
    assert_int_equal(saved_left(&copy), 1);
    assert_int_equal(saved_counts(&copy).executions, 7);
    saved_free(&copy);
    for (size_t length = 0; length < bytes.length; length += 97)
        assert_false(saved_read(&copy, bytes.text, length));
    buffer_free(&bytes);
    saved_free(&search);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_stand_in_the_place_of_what_was_handed_out),
        cmocka_unit_test(actors_with_other_numbers_are_refused),
        cmocka_unit_test(what_comes_after_the_end_is_dropped),
        cmocka_unit_test(bytes_become_the_same_search_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
