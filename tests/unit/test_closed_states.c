// Processes close states of one set at the same time: each is closed once, and what is said of it is there for all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "explore/closed_states.h"

enum { PROCESSES = 4, STATES = 60000 }; // so many that several tables are needed

static struct fingerprint key_of(uint32_t number)
{
    return fingerprint_of(number, 7);
}

// Closes all states from a place of its own on, and says how many nobody had closed.
static uint64_t close_all(struct closed_states *c, uint32_t process)
{
    struct futures *futures = futures_new();
    uint64_t first = 0;
    for (uint32_t i = 0; i < STATES; i++) {
        uint32_t number = (i * 7919 + process * (STATES / PROCESSES / 7)) % STATES;
        uint32_t future = futures_add(futures, FUTURE_EMPTY, number % 5, EFFECT_WRITE, number % 11);
        struct state_entry state = {
            .key = key_of(number), .mark = number % 2 ? STATE_CLOSED : STATE_ENDLESS, .future = future};
        first += closed_states_add(c, &state, 3, futures, &(struct state_tally){.executions = number % 3, .events = 1});
    }
    futures_free(futures);
    return first;
}

static void test_each_once(void **unused)
{
    (void)unused;
    struct closed_states *c = closed_states_new(0);
    uint64_t *first = mmap(NULL, sizeof *first * PROCESSES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (uint32_t i = 0; i < PROCESSES; i++) {
        if (!fork()) {
            first[i] = close_all(c, i);
            _exit(0);
        }
    }
    for (uint32_t i = 0; i < PROCESSES; i++) {
        int status;
        wait(&status);
        assert_int_equal(status, 0);
    }
    struct closed_totals all = closed_states_totals(c, 3, false);
    assert_int_equal(all.states, STATES);
    assert_int_equal(all.events, STATES);
    assert_int_equal(all.executions, STATES + 1);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < PROCESSES; i++)
        sum += first[i];
    assert_true(sum >= STATES); // one that is closed twice at the moment of a new table counts once
    assert_int_equal(closed_states_totals(c, 2, false).states, 0);
    munmap(first, sizeof *first * PROCESSES);
}

static void test_what_is_said(void **unused)
{
    (void)unused;
    struct closed_states *c = closed_states_new(0);
    struct futures *futures = futures_new(), *others = futures_new();
    futures_add(others, FUTURE_EMPTY, 9, EFFECT_WRITE, 9); // numbers of sets and operations are others there
    close_all(c, 0);
    for (uint32_t number = 0; number < STATES; number += 17) {
        struct state_entry found;
        uint64_t rivals[2 * MAX_ACTORS / 64] = {0};
        assert_true(closed_states_find(c, key_of(number), 3, others, &found));
        assert_int_equal(found.mark, number % 2 ? STATE_CLOSED : STATE_ENDLESS);
        assert_true(futures_rivals(others, found.future, 200, EFFECT_WRITE, number % 11, rivals));
        assert_int_equal(rivals[0], 1u << (number % 5));
        assert_false(closed_states_find(c, key_of(number), 4, others, &found));
        assert_false(closed_states_find(c, key_of(number + STATES), 3, others, &found));
    }
    futures_free(futures);
    futures_free(others);
}

static void test_a_small_set(void **unused)
{
    (void)unused;
    struct closed_states *c = closed_states_new(1);
    close_all(c, 0);
    assert_int_equal(closed_states_totals(c, 3, false).states + closed_states_dropped(c), STATES);
    assert_true(closed_states_dropped(c) > STATES / 2);
    assert_false(closed_states_is_finished(c, 3));
    closed_states_finish(c, 3, &(struct state_tally){.executions = 2});
    assert_true(closed_states_is_finished(c, 3));
    assert_false(closed_states_is_finished(c, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once), cmocka_unit_test(test_what_is_said),
                                       cmocka_unit_test(test_a_small_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
