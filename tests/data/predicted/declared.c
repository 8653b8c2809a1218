// expect: atomicity harmful
// What is meant to be atomic is declared: a deposit that reads in one function and writes in another, each under the lock.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static __attribute__((noinline)) int look(void)
{
    pthread_mutex_lock(&lock);
    int now = balance;
    pthread_mutex_unlock(&lock);
    return now;
}

static __attribute__((noinline)) void put(int amount)
{
    pthread_mutex_lock(&lock);
    balance = amount;
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *unused)
{
    heddle_atomic_begin();
    put(look() + 10);
    heddle_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(t, NULL);
    printf("%d\n", balance);
    return 0;
}
