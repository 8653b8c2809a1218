// wrong: deadlock. A process waits on a condition variable for what another has done, perhaps already.
#include "share.h"

int main(void)
{
    struct news {
        pthread_mutex_t lock;
        pthread_cond_t changed;
        int there;
    } *news = share(sizeof *news);
    pthread_condattr_t attributes;
    share_mutex(&news->lock, 0);
    pthread_condattr_init(&attributes);
    pthread_condattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_cond_init(&news->changed, &attributes);
    pid_t child = fork();
    if (!child) {
        pthread_mutex_lock(&news->lock);
        for (int first = 1; (WRONG && first) || !news->there; first = 0)
            pthread_cond_wait(&news->changed, &news->lock);
        pthread_mutex_unlock(&news->lock);
        exit(5);
    }
    pthread_mutex_lock(&news->lock);
    news->there = 1;
    pthread_cond_signal(&news->changed);
    pthread_mutex_unlock(&news->lock);
    int status;
    assert(wait(&status) == child && WEXITSTATUS(status) == 5);
}
