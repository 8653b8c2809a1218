// Tests of Check that expect a signal or an exit status, and that run in a loop.
#include <assert.h>
#include <check.h>
#include <signal.h>
#include <stdlib.h>

#include "counting.h"

START_TEST(exits)
{
    exit(3);
}
END_TEST

START_TEST(exits_otherwise)
{
    exit(both(count_badly) == 2 ? 3 : 4);
}
END_TEST

START_TEST(returns)
{
    if (both(count_badly) == 2)
        exit(3);
}
END_TEST

START_TEST(aborts)
{
    abort();
}
END_TEST

START_TEST(asserts)
{
    assert(both(count_safely) == 1);
}
END_TEST

START_TEST(raises)
{
    raise(SIGTERM);
}
END_TEST

START_TEST(raises_another)
{
    raise(SIGUSR1);
}
END_TEST

START_TEST(faults)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count_safely, NULL);
    atomic_fetch_add(&counted, 1);
    *(volatile int *)0 = 1;
}
END_TEST

START_TEST(faults_at_times)
{
    if (both(count_badly) == 2)
        *(volatile int *)0 = 1;
}
END_TEST

START_TEST(loops)
{
    ck_assert_int_lt(_i, 2);
}
END_TEST

START_TEST(exits_each_time)
{
    exit(3);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("suite");
    TCase *tests = tcase_create("tests");
    SRunner *runner = srunner_create(suite);
    tcase_add_exit_test(tests, exits, 3);
    tcase_add_exit_test(tests, exits_otherwise, 3);
    tcase_add_exit_test(tests, returns, 3);
    tcase_add_test_raise_signal(tests, aborts, SIGABRT);
    tcase_add_test_raise_signal(tests, asserts, SIGABRT);
    tcase_add_test_raise_signal(tests, raises, SIGTERM);
    tcase_add_test_raise_signal(tests, raises_another, SIGTERM);
    tcase_add_test_raise_signal(tests, faults, SIGSEGV);
    tcase_add_test_raise_signal(tests, faults_at_times, SIGSEGV);
    tcase_add_loop_test(tests, loops, 0, 3);
    tcase_add_loop_exit_test(tests, exits_each_time, 3, 0, 2);
    suite_add_tcase(suite, tests);
    srunner_run_all(runner, CK_NORMAL);
    return srunner_ntests_failed(runner);
}
