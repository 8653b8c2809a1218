// Two customer representatives fetch an account, change the balance and update the account: what one of them did is lost.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 50000;

static int fetch(void)
{
    pthread_mutex_lock(&lock);
    int now = balance;
    pthread_mutex_unlock(&lock);
    return now;
}

static void update(int now)
{
    pthread_mutex_lock(&lock);
    balance = now;
    pthread_mutex_unlock(&lock);
}

static void transact(int amount)
{
    int now = fetch();
    update(now + amount);
}

static void *withdraw(void *unused)
{
    transact(-25000);
    return unused;
}

static void *deposit(void *unused)
{
    transact(5000);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, withdraw, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("balance: %d\n", balance);
    return 0;
}
