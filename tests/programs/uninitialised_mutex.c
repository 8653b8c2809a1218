// expect: bug lock-misuse
// A mutex in a fresh block from malloc is locked without having been initialised.
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int balance;
};

int main(void)
{
    struct account *account = malloc(sizeof *account);
    if (!account)
        return 1;
    pthread_mutex_lock(&account->mutex);
    account->balance = 1;
    pthread_mutex_unlock(&account->mutex);
    free(account);
    return 0;
}
