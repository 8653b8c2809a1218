// expect: verified
// The process asks about itself by its number, from main and from a thread. Policies are kept and given back.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void *ask(void *unused)
{
    struct rlimit limit, named;
    struct sched_param parameters;
    clockid_t clock;
    assert(getpgid(getpid()) == getpgrp());
    assert(getsid(getpid()) == getsid(0));
    assert(!getrlimit(RLIMIT_CORE, &limit) && !prlimit(getpid(), RLIMIT_CORE, NULL, &named));
    assert(limit.rlim_cur == named.rlim_cur);
    assert(!clock_getcpuclockid(getpid(), &clock) && !clock_gettime(clock, &(struct timespec){0}));
    assert(!sched_getparam(getpid(), &parameters) && parameters.sched_priority == 0);
    assert(!sched_rr_get_interval(getpid(), &(struct timespec){0}));
    errno = 0;
    assert(getpriority(PRIO_PROCESS, getpid()) == getpriority(PRIO_PROCESS, 0) && !errno);
    return unused;
}

static void *schedule(void *unused)
{
    cpu_set_t set;
    struct sched_param parameters = {0};
    assert(!sched_setscheduler(gettid(), SCHED_BATCH, &parameters));
    assert(sched_getscheduler(0) == SCHED_BATCH && sched_getscheduler(gettid()) == SCHED_BATCH);
    assert(sched_getscheduler(getpid()) == SCHED_OTHER);
    parameters.sched_priority = 1;
    assert(sched_setparam(0, &parameters) == -1 && errno == EINVAL);
    assert(!sched_getaffinity(getpid(), sizeof set, &set) && CPU_COUNT(&set));
    return unused;
}

int main(void)
{
    pthread_t first, second;
    ask(NULL);
    pthread_create(&first, NULL, ask, NULL);
    pthread_create(&second, NULL, schedule, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
}
