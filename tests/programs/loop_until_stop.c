// expect: verified options: --strategy dlspor
// Workers go round until they are told to stop, and count their rounds up to a limit: circles through states, and no bound.
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 2, JOBS = 2, MOST = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stop, jobs = JOBS, done, idle;

static void *work(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        int stopped = stop;
        if (jobs) {
            jobs--;
            done++;
        } else if (idle < MOST) {
            idle++;
        } else {
            idle = 0;
        }
        pthread_mutex_unlock(&lock);
        if (stopped)
            return unused;
    }
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    assert(done + jobs == JOBS);
    return 0;
}
