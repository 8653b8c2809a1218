#include <glib.h>

#include "account.h"

static void open_account(struct account *account, gconstpointer unused)
{
    (void)unused;
    account_open(account, 100);
}

static void close_account(struct account *account, gconstpointer unused)
{
    (void)unused;
    account_close(account);
}

static void *deposit(void *account)
{
    account_deposit(account, 10);
    return NULL;
}

static void *withdraw(void *account)
{
    account_withdraw(account, 80);
    return NULL;
}

static void deposits_add_up(struct account *account, gconstpointer unused)
{
    pthread_t other;
    (void)unused;
    pthread_create(&other, NULL, deposit, account);
    account_deposit(account, 20);
    pthread_join(other, NULL);
    g_assert_cmpint(account_balance(account), ==, 130);
}

static void is_never_overdrawn(struct account *account, gconstpointer unused)
{
    pthread_t other;
    (void)unused;
    pthread_create(&other, NULL, withdraw, account);
    account_withdraw(account, 80);
    pthread_join(other, NULL);
    g_assert_cmpint(account_balance(account), >=, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/account/deposits-add-up", struct account, NULL, open_account, deposits_add_up, close_account);
    g_test_add("/account/is-never-overdrawn", struct account, NULL, open_account, is_never_overdrawn, close_account);
    return g_test_run();
}
