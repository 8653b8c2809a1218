// What a program printed while its threads were held back is told if it means something.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "predict/held_output.h"

static void expect(const char *held, char *const *free_runs, uint32_t count, bool is_new, const char *wanted)
{
    bool differs;
    char *remark = output_remark(held, free_runs, count, &differs);
    if (wanted)
        assert_string_equal(remark, wanted);
    else
        assert_null(remark);
    assert_int_equal(differs, is_new);
    free(remark);
}

static void nothing_where_all_print_the_same(void **unused)
{
    char *runs[] = {"2", "2", "2"};
    expect("2", runs, 3, false, NULL);
    assert_false(output_is_new("2", runs, 3));
    (void)unused;
}

static void what_no_other_run_prints(void **unused)
{
    char *runs[] = {"2", "2", "2"};
    assert_true(output_is_new("1", runs, 3));
    expect("1", runs, 3, true, "it printed \"1\", and without being held back \"2\"");
    expect("1", runs, 1, true, "it printed \"1\", and without being held back \"2\"");
    (void)unused;
}

static void the_most_common_of_several(void **unused)
{
    char *runs[] = {"3", "2", "2"};
    expect("1", runs, 3, true, "it printed \"1\", and without being held back \"2\" (2 of 3 runs)");
    (void)unused;
}

static void what_some_runs_print_by_themselves(void **unused)
{
    char *runs[] = {"1", "2", "2", "1", "2", "3"};
    assert_false(output_is_new("1", runs, 6));
    expect("1", runs, 6, false,
           "it printed \"1\", as it did in 2 of 6 runs without being held back; others printed \"2\"");
    (void)unused;
}

static void nothing_where_each_run_prints_something_else(void **unused)
{
    char *runs[] = {"at 12:00:01", "at 12:00:02", "at 12:00:03"};
    expect("at 12:00:04", runs, 3, false, NULL);
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_where_all_print_the_same),
        cmocka_unit_test(what_no_other_run_prints),
        cmocka_unit_test(the_most_common_of_several),
        cmocka_unit_test(what_some_runs_print_by_themselves),
        cmocka_unit_test(nothing_where_each_run_prints_something_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
