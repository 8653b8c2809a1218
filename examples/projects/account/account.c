#include "account.h"
#include <stddef.h>

void account_open(struct account *account, long balance)
{
    pthread_mutex_init(&account->lock, NULL);
    account->balance = balance;
}

void account_deposit(struct account *account, long amount)
{
    pthread_mutex_lock(&account->lock);
    account->balance += amount;
    pthread_mutex_unlock(&account->lock);
}

long account_balance(struct account *account)
{
    pthread_mutex_lock(&account->lock);
    long balance = account->balance;
    pthread_mutex_unlock(&account->lock);
    return balance;
}

// Takes the amount if it is there.
bool account_withdraw(struct account *account, long amount)
{
    if (account_balance(account) < amount)
        return false;
    account_deposit(account, -amount);
    return true;
}

void account_close(struct account *account)
{
    pthread_mutex_destroy(&account->lock);
}
