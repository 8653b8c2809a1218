#include <criterion/criterion.h>

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

TestSuite(account, .init = open_account, .fini = close_account);

Test(account, deposits_add_up)
{
    pthread_t other;
    pthread_create(&other, NULL, deposit, NULL);
    account_deposit(&account, 20);
    pthread_join(other, NULL);
    cr_assert_eq(account_balance(&account), 130);
}

Test(account, is_never_overdrawn)
{
    pthread_t other;
    pthread_create(&other, NULL, withdraw, NULL);
    account_withdraw(&account, 80);
    pthread_join(other, NULL);
    cr_expect_geq(account_balance(&account), 0, "after two withdrawals of %d", 80);
}
