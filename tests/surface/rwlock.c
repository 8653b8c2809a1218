// expect: verified reach=8
// Readers–writer locks: try and timed calls, recursion, errors.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "reach.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *reader(void *unused)
{
    int answer = pthread_rwlock_tryrdlock(&lock);
    assert(answer == 0 || answer == EBUSY);
    if (answer) {
        REACHED(1);
    } else {
        REACHED(2);
        assert(value == 0 || value == 2);
        pthread_rwlock_unlock(&lock);
    }
    struct timespec until = {.tv_sec = time(NULL)};
    answer = pthread_rwlock_timedrdlock(&lock, &until);
    assert(answer == 0 || answer == ETIMEDOUT);
    if (answer) {
        REACHED(3);
    } else {
        REACHED(4);
        assert(value == 0 || value == 2);
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *writer(void *unused)
{
    int answer = pthread_rwlock_trywrlock(&lock);
    assert(answer == 0 || answer == EBUSY);
    if (answer) {
        REACHED(5);
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        answer = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until);
        assert(answer == 0 || answer == ETIMEDOUT);
        if (answer) {
            REACHED(6);
            return unused;
        }
        REACHED(7);
    } else {
        REACHED(8);
    }
    value = 1;
    value = 2;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void alone(void)
{
    pthread_rwlock_t own;
    struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = -1};
    assert(pthread_rwlock_init(&own, NULL) == 0);
    assert(pthread_rwlock_rdlock(&own) == 0 && pthread_rwlock_rdlock(&own) == 0 && pthread_rwlock_tryrdlock(&own) == 0);
    assert(pthread_rwlock_trywrlock(&own) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&own, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&own, &wrong) == EINVAL);
    for (int i = 0; i < 3; i++)
        assert(pthread_rwlock_unlock(&own) == 0);
    assert(pthread_rwlock_wrlock(&own) == 0);
    assert(pthread_rwlock_wrlock(&own) == EDEADLK && pthread_rwlock_rdlock(&own) == EDEADLK);
    assert(pthread_rwlock_tryrdlock(&own) == EBUSY && pthread_rwlock_trywrlock(&own) == EBUSY);
    assert(pthread_rwlock_clockrdlock(&own, CLOCK_MONOTONIC, &past) == EDEADLK);
    assert(pthread_rwlock_unlock(&own) == 0);
    assert(pthread_rwlock_clockrdlock(&own, CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&own, &past) == 0 && pthread_rwlock_unlock(&own) == 0);
    assert(pthread_rwlock_destroy(&own) == 0);
}

int main(int argc, char **argv)
{
    pthread_t a, b;
    begin(argc, argv);
    alone();
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
