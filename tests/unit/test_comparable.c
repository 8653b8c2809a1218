// Whether dependent accesses have one order, where mutexes alone, or only a case split over them, gives it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inject/comparable.h"
#include "inject/order_solver.h"

enum { P, Q, X, Y, Z, W, THREADS, EVENTS = 8, MUTEX = 7, MEMORY = 64 };

struct trace {
    struct order_event events[THREADS][EVENTS];
    struct order_thread threads[THREADS];
};

static void add(struct trace *t, uint32_t thread, enum order_kind kind, uint64_t object, uint32_t other)
{
    struct order_thread *to = &t->threads[thread];
    to->events = t->events[thread];
    to->events[to->count++] =
        (struct order_event){.kind = kind, .writes = kind == ORDER_ACCESS, .object = object, .size = 4, .other = other};
}

// P and Q have a section of one mutex each. X writes before both end, Y after both have begun, so whichever section is first,
// X is before Y. `whole`: or Y only after P's has begun, and then it may be first.
static void make_trace(struct trace *t, bool whole)
{
    memset(t, 0, sizeof *t);
    add(t, P, ORDER_LOCK, MUTEX, 0);
    add(t, P, ORDER_CREATE, 0, Y);
    add(t, P, ORDER_JOIN, 0, X);
    add(t, P, ORDER_UNLOCK, MUTEX, 0);
    add(t, Q, ORDER_LOCK, MUTEX, 0);
    add(t, Q, ORDER_CREATE, 0, W);
    add(t, Q, ORDER_JOIN, 0, Z);
    add(t, Q, ORDER_UNLOCK, MUTEX, 0);
    add(t, X, ORDER_ACCESS, MEMORY, 0);
    add(t, X, ORDER_CREATE, 0, Z);
    if (whole)
        add(t, Y, ORDER_JOIN, 0, W);
    add(t, Y, ORDER_ACCESS, MEMORY, 0);
}

static void clocks_leave_a_case_split_open(void **state)
{
    (void)state;
    struct trace t;
    struct comparison_check check;
    for (int whole = 0; whole < 2; whole++) {
        make_trace(&t, whole);
        comparable_check(t.threads, THREADS, &check);
        assert_false(check.stuck);
        assert_int_equal(check.open, 1);
        comparable_free(&check);
    }
}

static void the_solver_closes_it(void **state)
{
    (void)state;
    struct trace t;
    struct comparison_check check;
    make_trace(&t, true);
    comparable_check(t.threads, THREADS, &check);
    comparable_ask(t.threads, THREADS, &check);
    assert_int_equal(check.open, check.unasked ? 1 : 0);
    assert_int_equal(check.closed, check.unasked ? 0 : 1);
    assert_false(check.certain);
    comparable_free(&check);
}

static void the_solver_is_certain_of_its_twin(void **state)
{
    (void)state;
    struct trace t;
    struct comparison_check check;
    make_trace(&t, false);
    comparable_check(t.threads, THREADS, &check);
    comparable_ask(t.threads, THREADS, &check);
    assert_int_equal(check.open, 1);
    assert_int_equal(check.closed, 0);
    assert_true(check.certain || check.unasked);
    comparable_free(&check);
}

// Whoever leaves a barrier knows what those who came to it knew.
static void barriers_pass_on_what_is_known(void **state)
{
    (void)state;
    struct trace t = {0};
    struct comparison_check check;
    add(&t, P, ORDER_ACCESS, MEMORY, 0);
    add(&t, P, ORDER_CREATE, 0, Q);
    add(&t, Q, ORDER_ARRIVE, 9, 1);
    add(&t, Q, ORDER_LEAVE, 9, 1);
    add(&t, X, ORDER_ARRIVE, 9, 1);
    add(&t, X, ORDER_LEAVE, 9, 1);
    add(&t, X, ORDER_ACCESS, MEMORY, 0);
    comparable_check(t.threads, X + 1, &check);
    assert_int_equal(check.open, 0);
    assert_int_equal(check.dependent, 1);
    comparable_free(&check);
}

// A trace that has no order at all must not make every order impossible.
static void nonsense_is_not_asked_about(void **state)
{
    (void)state;
    struct trace t = {0};
    const char *why;
    add(&t, P, ORDER_JOIN, 0, Q);
    add(&t, Q, ORDER_JOIN, 0, P);
    assert_null(order_solver_open(t.threads, 2, &why));
    assert_non_null(why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_leave_a_case_split_open),    cmocka_unit_test(the_solver_closes_it),
        cmocka_unit_test(the_solver_is_certain_of_its_twin), cmocka_unit_test(barriers_pass_on_what_is_known),
        cmocka_unit_test(nonsense_is_not_asked_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
