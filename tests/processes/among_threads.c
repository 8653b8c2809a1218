// wrong: race. A process with two threads forks: the copy has one, and what the other has done so far.
#include "share.h"

static struct counter {
    pthread_mutex_t lock;
    int count;
} * counter;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void count(int locked)
{
    if (locked)
        pthread_mutex_lock(&counter->lock);
    counter->count++;
    if (locked)
        pthread_mutex_unlock(&counter->lock);
}

static void *work(void *none)
{
    pthread_mutex_lock(&own);
    done++;
    pthread_mutex_unlock(&own);
    count(!WRONG);
    return none;
}

int main(void)
{
    pthread_t thread;
    int status;
    counter = share(sizeof *counter);
    share_mutex(&counter->lock, 0);
    pthread_create(&thread, NULL, work, NULL);
    if (!fork()) {
        count(1);
        _exit(done);
    }
    pthread_join(thread, NULL);
    wait(&status);
    assert(WEXITSTATUS(status) < 2 && counter->count == 2);
}
