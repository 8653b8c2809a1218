// wrong: race. A child has a child.
#include "share.h"

static struct counter {
    pthread_mutex_t lock;
    int count;
} * counter;

static void count(int locked)
{
    if (locked)
        pthread_mutex_lock(&counter->lock);
    counter->count++;
    if (locked)
        pthread_mutex_unlock(&counter->lock);
}

int main(void)
{
    counter = share(sizeof *counter);
    share_mutex(&counter->lock, 0);
    pid_t first = getpid(), child = fork();
    if (!child) {
        assert(getppid() == first);
        pid_t grandchild = fork();
        if (!grandchild) {
            count(!WRONG);
            exit(0);
        }
        count(1);
        assert(wait(NULL) == grandchild && wait(NULL) == -1);
        exit(0);
    }
    assert(wait(NULL) == child && counter->count == 2);
}
