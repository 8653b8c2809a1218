// wrong: deadlock. Two processes take two locks.
#include "share.h"

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

int main(void)
{
    pthread_mutex_t *locks = share(2 * sizeof *locks);
    share_mutex(&locks[0], 0);
    share_mutex(&locks[1], 0);
    if (!fork()) {
        take_both(&locks[WRONG], &locks[!WRONG]);
        return 0;
    }
    take_both(&locks[0], &locks[1]);
    int status;
    assert(wait(&status) > 0 && status == 0);
}
