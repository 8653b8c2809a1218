// The loop of the search says whether the strategy has planned an execution that was not run: whoever estimates the rest must know
// whether the execution at hand is the one that the strategy ran last.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "explore/search.h"

enum { EXECUTIONS = 5 };

static struct exec exec;
static struct target target;
static struct strategy strategy;
static uint64_t planned, stop_leaf, stop_interlude;

static bool no_step(struct strategy *s, struct step *step)
{
    (void)s, (void)step;
    return false;
}

static bool plan_next(struct strategy *s, uint32_t *depth)
{
    (void)s;
    *depth = 0;
    return ++planned < EXECUTIONS;
}

static void go_back(struct target *t, uint32_t events)
{
    (void)t, (void)events;
}

static bool at_leaf(void *context, bool whole)
{
    const struct search *search = context;
    return whole && search->executions != stop_leaf;
}

static bool is_due(void *context)
{
    const struct search *search = context;
    return search->executions == stop_interlude;
}

static bool end_here(void *context)
{
    (void)context;
    return false;
}

static struct search run(uint64_t most, uint64_t leaf, uint64_t interlude, enum search_end expected)
{
    target = (struct target){.exec = &exec, .restart = go_back};
    strategy = (struct strategy){.target = &target, .exec = &exec, .pick = no_step, .next = plan_next};
    planned = 0;
    stop_leaf = leaf;
    stop_interlude = interlude;
    struct search search = {.strategy = &strategy,
                            .max_executions = most,
                            .max_steps = 1,
                            .leaf = at_leaf,
                            .interlude_is_due = is_due,
                            .interlude = end_here};
    search.context = &search;
    assert_int_equal(search_run(&search), expected);
    return search;
}

static void a_search_that_is_done_has_nothing_planned(void **state)
{
    (void)state;
    struct search search = run(UINT64_MAX, 0, 0, SEARCH_DONE);
    assert_int_equal(search.executions, EXECUTIONS);
    assert_false(search.planned);
}

static void a_search_that_ends_with_an_execution_has_nothing_planned(void **state)
{
    (void)state;
    assert_false(run(UINT64_MAX, 3, 0, SEARCH_STOPPED).planned);
}

static void a_search_that_ends_at_its_bound_has_planned_the_next(void **state)
{
    (void)state;
    assert_true(run(2, 0, 0, SEARCH_EXECUTIONS).planned);
}

static void a_search_that_ends_in_an_interlude_has_planned_the_next(void **state)
{
    (void)state;
    assert_true(run(UINT64_MAX, 0, 2, SEARCH_STOPPED).planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_that_is_done_has_nothing_planned),
        cmocka_unit_test(a_search_that_ends_with_an_execution_has_nothing_planned),
        cmocka_unit_test(a_search_that_ends_at_its_bound_has_planned_the_next),
        cmocka_unit_test(a_search_that_ends_in_an_interlude_has_planned_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
