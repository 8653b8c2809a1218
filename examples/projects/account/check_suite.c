#include <check.h>
#include <stdlib.h>

#include "account.h"

static struct account account;

static void open_account(void)
{
    account_open(&account, 100);
}

static void close_account(void)
{
    account_close(&account);
}

static void *deposit(void *unused)
{
    account_deposit(&account, 10);
    return unused;
}

static void *withdraw(void *unused)
{
    account_withdraw(&account, 80);
    return unused;
}

START_TEST(deposits_add_up)
{
    pthread_t other;
    pthread_create(&other, NULL, deposit, NULL);
    account_deposit(&account, 20);
    pthread_join(other, NULL);
    ck_assert_int_eq(account_balance(&account), 130);
}
END_TEST

START_TEST(is_never_overdrawn)
{
    pthread_t other;
    pthread_create(&other, NULL, withdraw, NULL);
    account_withdraw(&account, 80);
    pthread_join(other, NULL);
    ck_assert_int_ge(account_balance(&account), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("account");
    TCase *threads = tcase_create("threads");
    SRunner *runner = srunner_create(suite);
    tcase_add_checked_fixture(threads, open_account, close_account);
    tcase_add_test(threads, deposits_add_up);
    tcase_add_test(threads, is_never_overdrawn);
    suite_add_tcase(suite, threads);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
