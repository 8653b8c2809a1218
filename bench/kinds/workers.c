// expect: verified
// Workers take jobs under a lock until they are told to stop; the queue is polled, nobody waits.
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 3, JOBS = 5 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending, done, stop;

static void *work(void *nothing)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = pending > 0, stopped = stop;
        pending -= job;
        pthread_mutex_unlock(&lock);
        if (!job && stopped)
            return nothing;
        if (!job)
            continue;
        pthread_mutex_lock(&lock);
        done++;
        pthread_mutex_unlock(&lock);
    }
}

int main(void)
{
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&lock);
        pending++;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    assert(done == JOBS && !pending);
    return 0;
}
