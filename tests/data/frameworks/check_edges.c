// Tests of Check that expect an exit status, and that run in a loop.
#include <check.h>
#include <stdlib.h>

START_TEST(exits)
{
    exit(3);
}
END_TEST

START_TEST(loops)
{
    ck_assert_int_lt(_i, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suite");
    TCase *tests = tcase_create("tests");
    SRunner *runner = srunner_create(suite);
    tcase_add_exit_test(tests, exits, 3);
    tcase_add_loop_test(tests, loops, 0, 3);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    return srunner_ntests_failed(runner);
}
