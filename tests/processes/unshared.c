// wrong: lock-misuse. A lock that two processes use has to be made for that.
#include "share.h"

int main(void)
{
    pthread_mutex_t *lock = share(sizeof *lock);
    if (WRONG)
        pthread_mutex_init(lock, NULL);
    else
        share_mutex(lock, 0);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    if (!fork()) {
        pthread_mutex_lock(lock);
        pthread_mutex_unlock(lock);
        _exit(0);
    }
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    wait(NULL);
}
