// wrong: deadlock. A process that ends with a lock of the usual kind keeps it for ever.
#include "share.h"

int main(void)
{
    pthread_mutex_t *lock = share(sizeof *lock);
    share_mutex(lock, 0);
    if (!fork()) {
        pthread_mutex_lock(lock);
        if (!WRONG)
            pthread_mutex_unlock(lock);
        _exit(0);
    }
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    wait(NULL);
}
