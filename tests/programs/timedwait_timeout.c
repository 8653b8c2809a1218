// expect: verified
// Nobody signals: a timed wait ends by its time-out, and holds the mutex again.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

int main(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 10 * 1000 * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&changed, &mutex, &until);
    assert(result == ETIMEDOUT);
    result = pthread_mutex_unlock(&mutex);
    assert(result == 0);
    return 0;
}
