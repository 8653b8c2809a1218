// wrong: assertion. A process ends with a robust lock, in the middle of a change: the next has to make it whole.
#include "share.h"

static struct pair {
    pthread_mutex_t lock;
    int one, other;
} * pair;

static void look(void)
{
    int error = pthread_mutex_lock(&pair->lock);
    assert(error == 0 || error == EOWNERDEAD);
    if (error == EOWNERDEAD && !WRONG) {
        pair->other = pair->one;
        pthread_mutex_consistent(&pair->lock);
    }
    assert(pair->one == pair->other);
    pthread_mutex_unlock(&pair->lock);
}

int main(void)
{
    pair = share(sizeof *pair);
    share_mutex(&pair->lock, 1);
    pid_t child = fork();
    if (!child) {
        pthread_mutex_lock(&pair->lock);
        pair->one = 1;
        _exit(0);
    }
    look();
    assert(waitpid(child, NULL, 0) == child);
    look();
}
