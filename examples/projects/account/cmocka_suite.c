#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "account.h"

static struct account account;

static int open_account(void **state)
{
    (void)state;
    account_open(&account, 100);
    return 0;
}

static int close_account(void **state)
{
    (void)state;
    account_close(&account);
    return 0;
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

static void deposits_add_up(void **state)
{
    pthread_t other;
    (void)state;
    pthread_create(&other, NULL, deposit, NULL);
    account_deposit(&account, 20);
    pthread_join(other, NULL);
    assert_int_equal(account_balance(&account), 130);
}

static void is_never_overdrawn(void **state)
{
    pthread_t other;
    (void)state;
    pthread_create(&other, NULL, withdraw, NULL);
    account_withdraw(&account, 80);
    pthread_join(other, NULL);
    assert_true(account_balance(&account) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(deposits_add_up, open_account, close_account),
        cmocka_unit_test_setup_teardown(is_never_overdrawn, open_account, close_account),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
