// expect: verified reach=4
// pthread_mutex_timedlock and clocklock: a time runs out only while another thread has the mutex.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "reach.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += 20000000;
    if (t.tv_nsec >= 1000000000)
        t.tv_sec++, t.tv_nsec -= 1000000000;
    return t;
}

static void *timed(void *unused)
{
    struct timespec until = soon(CLOCK_REALTIME);
    int answer = pthread_mutex_timedlock(&mutex, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        assert(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
        REACHED(1);
    } else {
        REACHED(2);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void *clocked(void *unused)
{
    struct timespec until = soon(CLOCK_MONOTONIC);
    int answer = pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer) {
        REACHED(3);
    } else {
        REACHED(4);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

// Nobody else is there.
static void alone(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t checking, recursive, plain = PTHREAD_MUTEX_INITIALIZER;
    struct timespec until = soon(CLOCK_REALTIME), wrong = {.tv_nsec = 1000000000};
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attributes);
    assert(pthread_mutex_timedlock(&checking, &until) == 0);
    assert(pthread_mutex_timedlock(&checking, &until) == EDEADLK);
    assert(pthread_mutex_timedlock(&recursive, &until) == 0 && pthread_mutex_timedlock(&recursive, &until) == 0);
    assert(pthread_mutex_timedlock(&plain, &until) == 0);
    assert(pthread_mutex_timedlock(&plain, &wrong) == EINVAL);
    assert(pthread_mutex_timedlock(&plain, &until) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&plain, CLOCK_PROCESS_CPUTIME_ID, &until) == EINVAL);
    pthread_mutex_unlock(&plain);
    pthread_mutex_unlock(&checking);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    begin(argc, argv);
    alone();
    pthread_create(&a, NULL, timed, NULL);
    pthread_create(&b, NULL, clocked, NULL);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
