#ifndef ACCOUNT_H
#define ACCOUNT_H
#include <pthread.h>
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif
struct account {
    pthread_mutex_t lock;
    long balance;
};
void account_open(struct account *account, long balance);
void account_deposit(struct account *account, long amount);
bool account_withdraw(struct account *account, long amount);
long account_balance(struct account *account);
void account_close(struct account *account);
#ifdef __cplusplus
}
#endif
#endif
