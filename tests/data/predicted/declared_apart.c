// expect: nothing
// Two acts that are declared one by one: what comes between them is meant to.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void *deposit(void *unused)
{
    for (int i = 0; i < 2; i++) {
        heddle_atomic_begin();
        pthread_mutex_lock(&lock);
        balance += 10;
        pthread_mutex_unlock(&lock);
        heddle_atomic_end();
    }
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
