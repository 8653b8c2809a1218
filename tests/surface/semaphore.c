// expect: verified reach=8
// Semaphores: waiting, trying, waiting for a while, asking for the count, errors.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "reach.h"

static sem_t sem, other;
static int data;

static void *poster(void *unused)
{
    data = 1;
    assert(sem_post(&sem) == 0);
    assert(sem_post(&other) == 0);
    return unused;
}

static void alone(void)
{
    sem_t own;
    int count;
    struct timespec past = {.tv_sec = 1}, wrong = {.tv_nsec = 1000000000};
    assert(sem_init(&own, 0, (unsigned)SEM_VALUE_MAX + 1) == -1 && errno == EINVAL);
    assert(sem_init(&own, 0, 1) == 0);
    assert(sem_getvalue(&own, &count) == 0 && count == 1);
    assert(sem_trywait(&own) == 0);
    assert(sem_trywait(&own) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&own, &past) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&own, &wrong) == -1 && errno == EINVAL);
    assert(sem_clockwait(&own, CLOCK_PROCESS_CPUTIME_ID, &past) == -1 && errno == EINVAL);
    assert(sem_post(&own) == 0 && sem_timedwait(&own, &past) == 0);
    assert(sem_getvalue(&own, &count) == 0 && count == 0);
    assert(sem_destroy(&own) == 0);
    assert(sem_init(&own, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&own) == -1 && errno == EOVERFLOW);
}

int main(int argc, char **argv)
{
    pthread_t a;
    int count;
    struct timespec until = {.tv_sec = time(NULL)};
    begin(argc, argv);
    alone();
    sem_init(&sem, 0, 0);
    sem_init(&other, 0, 0);
    pthread_create(&a, NULL, poster, NULL);
    sem_getvalue(&sem, &count);
    if (count)
        REACHED(1);
    else
        REACHED(2);
    if (sem_trywait(&sem)) {
        REACHED(3);
        if (sem_timedwait(&sem, &until)) {
            assert(errno == ETIMEDOUT);
            REACHED(4);
            assert(sem_wait(&sem) == 0);
        } else {
            REACHED(5);
        }
    } else {
        REACHED(6);
    }
    assert(data == 1);
    clock_gettime(CLOCK_MONOTONIC, &until);
    if (sem_clockwait(&other, CLOCK_MONOTONIC, &until)) {
        REACHED(7);
        assert(sem_wait(&other) == 0);
    } else {
        REACHED(8);
    }
    pthread_join(a, NULL);
    return 0;
}
