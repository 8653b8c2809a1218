// expect: bug assertion
// No race, but not atomic either: the balance is read in one critical section and written in another.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int balance_now(void)
{
    pthread_mutex_lock(&mutex);
    int now = balance;
    pthread_mutex_unlock(&mutex);
    return now;
}

static void *deposit(void *unused)
{
    int sum = balance_now() + 10;
    pthread_mutex_lock(&mutex);
    balance = sum;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, deposit, NULL);
    pthread_create(&two, NULL, deposit, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(balance == 120);
    return 0;
}
