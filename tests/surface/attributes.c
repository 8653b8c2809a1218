// expect: verified
// Attributes of threads, mutexes, condition variables, readers–writer locks and barriers; names and priorities of threads.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "reach.h"

static void *nothing(void *value)
{
    return value;
}

static void threads(void)
{
    pthread_attr_t a;
    int value;
    size_t size;
    void *stack;
    struct sched_param parameters = {0};
    pthread_t t;
    assert(pthread_attr_init(&a) == 0);
    assert(pthread_attr_getdetachstate(&a, &value) == 0 && value == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setdetachstate(&a, 99) == EINVAL);
    assert(pthread_attr_setguardsize(&a, 8192) == 0 && pthread_attr_getguardsize(&a, &size) == 0 && size == 8192);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    assert(pthread_attr_getinheritsched(&a, &value) == 0 && value == PTHREAD_EXPLICIT_SCHED);
    assert(pthread_attr_setschedpolicy(&a, SCHED_OTHER) == 0 && pthread_attr_getschedpolicy(&a, &value) == 0);
    assert(value == SCHED_OTHER);
    assert(pthread_attr_setschedparam(&a, &parameters) == 0 && pthread_attr_getschedparam(&a, &parameters) == 0);
    assert(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM) == 0 && pthread_attr_getscope(&a, &value) == 0);
    assert(value == PTHREAD_SCOPE_SYSTEM);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1 << 20) == 0 && pthread_attr_getstacksize(&a, &size) == 0 && size == 1 << 20);
    assert(pthread_create(&t, &a, nothing, &size) == 0 && pthread_join(t, &stack) == 0 && stack == &size);
    parameters.sched_priority = sched_get_priority_max(SCHED_OTHER) + 1;
    assert(pthread_attr_setschedpolicy(&a, SCHED_FIFO) == 0 && pthread_attr_setschedparam(&a, &parameters) == 0);
    assert(pthread_attr_setschedpolicy(&a, SCHED_OTHER) == 0 && pthread_create(&t, &a, nothing, NULL) == EINVAL);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_INHERIT_SCHED) == 0);
    assert(pthread_create(&t, &a, nothing, NULL) == 0 && pthread_join(t, NULL) == 0);
    assert(pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_create(&t, &a, nothing, NULL) == 0);
    assert(pthread_attr_destroy(&a) == 0);
    assert(pthread_getattr_np(pthread_self(), &a) == 0 && pthread_attr_getstack(&a, &stack, &size) == 0);
    assert((char *)stack <= (char *)&a && (char *)&a < (char *)stack + size);
    assert(pthread_attr_destroy(&a) == 0);
}

static void mutexes(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    int value;
    assert(pthread_mutexattr_init(&a) == 0);
    assert(pthread_mutexattr_settype(&a, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK) == 0);
    assert(pthread_mutexattr_gettype(&a, &value) == 0 && value == PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&a, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST) == 0);
    assert(pthread_mutexattr_getrobust(&a, &value) == 0 && value == PTHREAD_MUTEX_ROBUST);
    assert(pthread_mutex_init(&m, &a) == 0);
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0 && pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_unlock(&m) == 0 && pthread_mutex_destroy(&m) == 0);
    assert(pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED) == 0);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&a, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT) == 0);
    assert(pthread_mutexattr_setprioceiling(&a, 5) == 0 && pthread_mutexattr_getprioceiling(&a, &value) == 0 && value == 5);
    assert(pthread_mutex_init(&m, &a) == 0);
    assert(pthread_mutex_getprioceiling(&m, &value) == 0 && value == 5);
    assert(pthread_mutex_destroy(&m) == 0);
    assert(pthread_mutexattr_destroy(&a) == 0);
    assert(pthread_mutex_init(&m, NULL) == 0 && pthread_mutex_getprioceiling(&m, &value) == EINVAL);
    assert(pthread_mutex_consistent(&m) == EINVAL);
}

static void others(void)
{
    pthread_condattr_t c;
    pthread_rwlockattr_t l;
    pthread_barrierattr_t b;
    pthread_cond_t condition;
    pthread_rwlock_t lock;
    pthread_barrier_t barrier;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    clockid_t clock;
    int value;
    assert(pthread_condattr_init(&c) == 0 && pthread_condattr_setclock(&c, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&c, &clock) == 0 && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setclock(&c, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_getpshared(&c, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_cond_init(&condition, &c) == 0 && pthread_condattr_destroy(&c) == 0);
    struct timespec now, until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&condition, &m, &until) == ETIMEDOUT);
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec >= until.tv_sec && now.tv_sec < until.tv_sec + 100);
    pthread_mutex_unlock(&m);
    assert(pthread_cond_destroy(&condition) == 0);

    assert(pthread_rwlockattr_init(&l) == 0 && pthread_rwlockattr_setpshared(&l, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&l, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_setkind_np(&l, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) == 0);
    assert(pthread_rwlockattr_getkind_np(&l, &value) == 0 && value == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    assert(pthread_rwlock_init(&lock, &l) == 0 && pthread_rwlockattr_destroy(&l) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0 && pthread_rwlock_unlock(&lock) == 0);

    assert(pthread_barrierattr_init(&b) == 0 && pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&b, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_barrier_init(&barrier, &b, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, &b, 1) == 0 && pthread_barrierattr_destroy(&b) == 0);
    assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD && pthread_barrier_destroy(&barrier) == 0);
}

static void *named(void *unused)
{
    char name[16];
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && !strcmp(name, "loom"));
    return unused;
}

static void identities(void)
{
    char name[16];
    int policy;
    struct sched_param parameters;
    pthread_t t;
    cpu_set_t set;
    clockid_t clock;
    assert(pthread_setname_np(pthread_self(), "far too long for a name") == ERANGE);
    assert(pthread_setname_np(pthread_self(), "loom") == 0);
    assert(pthread_getname_np(pthread_self(), name, 3) == ERANGE);
    assert(pthread_create(&t, NULL, named, NULL) == 0 && pthread_join(t, NULL) == 0);
    assert(pthread_getschedparam(pthread_self(), &policy, &parameters) == 0);
    assert(policy == SCHED_OTHER && parameters.sched_priority == 0);
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters) == 0);
    parameters.sched_priority = 1000;
    assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters) == EINVAL);
    assert(pthread_setschedprio(pthread_self(), 0) == 0);
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) > 0);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    assert(pthread_setconcurrency(2) == 0);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    threads();
    mutexes();
    others();
    identities();
    return 0;
}
