// expect: verified executions=2
// A mutex that lives, and dies, in the heap; another is copied from the static initialiser.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

static void *deposit(void *argument)
{
    struct account *account = argument;
    pthread_mutex_lock(&account->mutex);
    account->balance++;
    pthread_mutex_unlock(&account->mutex);
    return NULL;
}

int main(void)
{
    struct account *account = malloc(sizeof *account);
    assert(account);
    *account = (struct account){.mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_mutex_lock(&account->mutex);
    pthread_mutex_unlock(&account->mutex);
    pthread_mutex_destroy(&account->mutex);
    pthread_mutex_init(&account->mutex, NULL);

    pthread_t one, two;
    pthread_create(&one, NULL, deposit, account);
    pthread_create(&two, NULL, deposit, account);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(account->balance == 2);
    pthread_mutex_destroy(&account->mutex);
    free(account);
    return 0;
}
