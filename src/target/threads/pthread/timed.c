// Calls that wait at most until some time: see surface.h.
#define _GNU_SOURCE
#include "target/threads/library/library_room.h"
#include "target/threads/pthread/surface.h"

#include <errno.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"

enum { SECOND = 1000000000 };

bool is_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

// The thread's own clock shows the time it was told to wait for.
int timed_out(struct thread *t, clockid_t clock, const struct timespec *until, const void *pc)
{
    access_read(until, sizeof *until, pc);
    if (until->tv_nsec < 0 || until->tv_nsec >= SECOND)
        return EINVAL;
    time_t start = clock == CLOCK_REALTIME ? (time_t)realtime_start() : 0;
    if (until->tv_sec >= start) {
        uint64_t deadline = (uint64_t)(until->tv_sec - start) * SECOND + (uint64_t)until->tv_nsec;
        if (deadline > t->now)
            t->now = deadline;
    }
    return ETIMEDOUT;
}

void see_letting_go(struct thread *t)
{
    engine.lets_go_seen |= engine.turns && !engine.alone;
    if (!engine.unlock_visible && !engine.alone) {
        engine.unlock_visible = true;
        search_again(t);
    }
}

// A mutex that the thread holds itself is never let go; only those that count or check say so at once.
int timed_lock(struct thread *t, pthread_mutex_t *m, clockid_t clock, const struct timespec *until, const void *pc)
{
    if (!is_clock(clock))
        return EINVAL;
    int answer = mutex_try(t, m, pc);
    if (answer != EBUSY)
        return answer;
    bool own = engine.places[place_at((uint64_t)(uintptr_t)m)].owner == t->actor + 1;
    if (own && (m->__data.__kind & 3) == PTHREAD_MUTEX_ERRORCHECK)
        return EDEADLK;
    return timed_out(t, clock, until, pc);
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_lock(t, m, CLOCK_REALTIME, until, HERE)
             : early_took(NATIVE(pthread_mutex_timedlock)(m, until), m, HERE);
}

PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_lock(t, m, clock, until, HERE)
             : early_took(NATIVE(pthread_mutex_clocklock)(m, clock, until), m, HERE);
}

PUBLIC int pthread_tryjoin_np(pthread_t handle, void **value)
{
    struct thread *t = engine.running;
    if (t && thread_of(handle) == t)
        return EBUSY;
    return t ? thread_tryjoin(t, handle, value, HERE) : NATIVE(pthread_tryjoin_np)(handle, value);
}

static int timed_join(struct thread *t, pthread_t handle, void **value, clockid_t clock, const struct timespec *until,
                      const void *pc)
{
    if (!until)
        return thread_join(t, handle, value, pc);
    cancel_point(t, pc);
    if (!is_clock(clock))
        return EINVAL;
    int answer = thread_tryjoin(t, handle, value, pc);
    return answer == EBUSY ? timed_out(t, clock, until, pc) : answer;
}

PUBLIC int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_join(t, handle, value, CLOCK_REALTIME, until, HERE)
             : NATIVE(pthread_timedjoin_np)(handle, value, until);
}

PUBLIC int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_join(t, handle, value, clock, until, HERE)
             : NATIVE(pthread_clockjoin_np)(handle, value, clock, until);
}
