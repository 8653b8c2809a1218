// expect: verified reach=6
// pthread_tryjoin_np, timedjoin_np, clockjoin_np.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "reach.h"

static int data[3];

static void *run(void *which)
{
    ++*(int *)which;
    return which;
}

static void *wait_for(void *mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

// A thread that cannot end yet.
static void held(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t a;
    struct timespec past = {.tv_sec = 1};
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, wait_for, &mutex);
    assert(pthread_tryjoin_np(a, NULL) == EBUSY);
    assert(pthread_timedjoin_np(a, NULL, &past) == ETIMEDOUT);
    assert(pthread_clockjoin_np(a, NULL, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_tryjoin_np(pthread_self(), NULL) == EBUSY);
    assert(pthread_timedjoin_np(pthread_self(), NULL, &past) == EDEADLK);
    pthread_mutex_unlock(&mutex);
    assert(pthread_timedjoin_np(a, NULL, NULL) == 0);
}

int main(int argc, char **argv)
{
    pthread_t a, b, c;
    void *value = NULL;
    begin(argc, argv);
    held();
    pthread_create(&a, NULL, run, &data[0]);
    int answer = pthread_tryjoin_np(a, &value);
    assert(answer == 0 || answer == EBUSY);
    if (answer) {
        REACHED(1);
        assert(pthread_join(a, &value) == 0);
    } else {
        REACHED(2);
    }
    assert(value == &data[0] && data[0] == 1);
    struct timespec until = {.tv_sec = time(NULL)};
    pthread_create(&b, NULL, run, &data[1]);
    answer = pthread_timedjoin_np(b, &value, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer) {
        REACHED(3);
        assert(pthread_join(b, &value) == 0);
    } else {
        REACHED(4);
    }
    assert(value == &data[1] && data[1] == 1);
    clock_gettime(CLOCK_MONOTONIC, &until);
    pthread_create(&c, NULL, run, &data[2]);
    answer = pthread_clockjoin_np(c, &value, CLOCK_MONOTONIC, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer) {
        REACHED(5);
        assert(pthread_join(c, &value) == 0);
    } else {
        REACHED(6);
    }
    assert(value == &data[2] && data[2] == 1);
    return 0;
}
