// Calls that wait for other threads: they are traced, a time-out fires, a thread is late. Under control (injector/injector_turns.h) nothing
// here waits in the kernel.
#define _GNU_SOURCE
#include "injector/injected_waits.h"
#include "injector/injector_trace.h"
#include "injector/injector_turns.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static struct timespec time_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

static uint64_t ns_of(const struct timespec *time)
{
    return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

// Others run meanwhile; no time passes. Returns what is left of it, in ns, if a signal comes before.
static uint64_t sleep_under_control(uint64_t ns)
{
    uint64_t end = turns_now() + ns;
    struct timespec until = time_of(end);
    pthread_testcancel();
    bool over = turns_block(&until, &until);
    pthread_testcancel();
    uint64_t now = turns_now();
    return over || now >= end ? 0 : end - now;
}

// Tries until it is there, or until time is up (ETIMEDOUT). EBUSY means that somebody else has it.
#define TRY_UNDER_CONTROL(attempt, object, until)                                                                      \
    ({                                                                                                                 \
        int result;                                                                                                    \
        bool late = false;                                                                                             \
        turns_point();                                                                                                 \
        while ((result = (attempt)) == EBUSY && !late)                                                                 \
            late = turns_block(object, until);                                                                         \
        result == EBUSY ? ETIMEDOUT : result;                                                                          \
    })

// ---- mutexes ----

// One that says so if it is locked twice, or gives it back to whoever died with it, does not block: the library's own knows that.
static bool is_own_again(const pthread_mutex_t *m)
{
    enum { KIND = 3 };
    return (m->__data.__kind & KIND) == PTHREAD_MUTEX_ERRORCHECK_NP && m->__data.__owner == gettid();
}

static int lock_under_control(pthread_mutex_t *m, const struct timespec *until)
{
    if (is_own_again(m))
        return NEXT(pthread_mutex_lock)(m);
    return TRY_UNDER_CONTROL(NEXT(pthread_mutex_trylock)(m), m, until);
}

static int unlock(pthread_mutex_t *m)
{
    int error = NEXT(pthread_mutex_unlock)(m);
    if (!error && unlikely(turns_on))
        turns_wake(m, UINT32_MAX);
    return error;
}

static void be_late(void)
{
    static const struct timespec little = {0, 20000000};
    injector_done();
    if (turns_mine())
        sleep_under_control(ns_of(&little));
    else
        NEXT(nanosleep)(&little, NULL);
}

int injected_lock(enum injection_call call, pthread_mutex_t *m, const void *pc)
{
    if (unlikely(injector_asks(call, pc) == INJECT_DELAY))
        be_late();
    int error = turns_mine() ? lock_under_control(m, NULL) : NEXT(pthread_mutex_lock)(m);
    if (!error)
        trace_event(CANONICAL_LOCK, m, 0, pc);
    return error;
}

int injected_trylock(pthread_mutex_t *m, const void *pc)
{
    turns_point();
    int error = NEXT(pthread_mutex_trylock)(m);
    if (!error)
        trace_event(CANONICAL_LOCK, m, 0, pc);
    return error;
}

int injected_unlock(pthread_mutex_t *m, const void *pc)
{
    trace_event(CANONICAL_UNLOCK, m, 0, pc);
    return unlock(m);
}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *m)
{
    return injected_lock(CALL_MUTEX_LOCK, m, HERE);
}

PUBLIC int pthread_mutex_trylock(pthread_mutex_t *m)
{
    return injected_trylock(m, HERE);
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *m)
{
    return injected_unlock(m, HERE);
}

static bool time_is_up(enum injection_call call, const void *pc)
{
    int before = errno;
    bool up = injector_fails(injector_asks(call, pc));
    errno = before;
    return up;
}

int injected_timedlock(enum injection_call call, pthread_mutex_t *m, clockid_t clock, const struct timespec *until,
                       const void *pc)
{
    if (time_is_up(call, pc))
        return ETIMEDOUT;
    int error = turns_mine() ? lock_under_control(m, until) : NEXT(pthread_mutex_clocklock)(m, clock, until);
    if (!error)
        trace_event(CANONICAL_LOCK, m, 0, pc);
    return error;
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict until)
{
    return injected_timedlock(CALL_MUTEX_TIMEDLOCK, m, CLOCK_REALTIME, until, HERE);
}

PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict until)
{
    return injected_timedlock(CALL_MUTEX_TIMEDLOCK, m, clock, until, HERE);
}

// ---- condition variables ----

static int wait_under_control(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    pthread_testcancel();
    int error = unlock(m);
    if (error)
        return error;
    bool late = turns_block(c, until);
    error = lock_under_control(m, NULL);
    pthread_testcancel(); // with the mutex, as whoever cleans up expects
    return error ? error : late ? ETIMEDOUT : 0;
}

// Each wait lets the mutex go and takes it again. A thread that is cancelled while it waits leaves no record of the second.
#define WAIT(c, m, wait, pc)                                                                                           \
    ({                                                                                                                 \
        trace_event(CANONICAL_WAIT, c, 0, pc);                                                                         \
        trace_event(CANONICAL_UNLOCK, m, 0, pc);                                                                       \
        int ended = (wait);                                                                                            \
        trace_event(CANONICAL_LOCK, m, 0, pc);                                                                         \
        ended;                                                                                                         \
    })

int injected_wait(pthread_cond_t *c, pthread_mutex_t *m, const void *pc)
{
    return WAIT(c, m, turns_mine() ? wait_under_control(c, m, NULL) : NEXT(pthread_cond_wait)(c, m), pc);
}

int injected_timedwait(enum injection_call call, pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until,
                       const void *pc)
{
    if (time_is_up(call, pc))
        return ETIMEDOUT;
    return WAIT(c, m, turns_mine() ? wait_under_control(c, m, until) : NEXT(pthread_cond_timedwait)(c, m, until), pc);
}

int injected_signal(pthread_cond_t *c, bool all, const void *pc)
{
    trace_event(CANONICAL_SIGNAL, c, 0, pc);
    if (unlikely(turns_on))
        turns_wake(c, all ? UINT32_MAX : 1);
    return all ? NEXT(pthread_cond_broadcast)(c) : NEXT(pthread_cond_signal)(c);
}

PUBLIC int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m)
{
    return injected_wait(c, m, HERE);
}

PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                  const struct timespec *restrict until)
{
    return injected_timedwait(CALL_COND_TIMEDWAIT, c, m, until, HERE);
}

PUBLIC int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
                                  const struct timespec *restrict until)
{
    if (time_is_up(CALL_COND_TIMEDWAIT, HERE))
        return ETIMEDOUT;
    return WAIT(c, m, turns_mine() ? wait_under_control(c, m, until) : NEXT(pthread_cond_clockwait)(c, m, clock, until),
                HERE);
}

PUBLIC int pthread_cond_signal(pthread_cond_t *c)
{
    return injected_signal(c, false, HERE);
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *c)
{
    return injected_signal(c, true, HERE);
}

// ---- readers–writer locks ----

#define RWLOCK(name, try)                                                                                              \
    PUBLIC int pthread_rwlock_##name(pthread_rwlock_t *l)                                                              \
    {                                                                                                                  \
        if (!turns_mine())                                                                                             \
            return NEXT(pthread_rwlock_##name)(l);                                                                     \
        return TRY_UNDER_CONTROL(NEXT(pthread_rwlock_##try)(l), l, NULL);                                              \
    }                                                                                                                  \
    PUBLIC int pthread_rwlock_timed##name(pthread_rwlock_t *restrict l, const struct timespec *restrict until)         \
    {                                                                                                                  \
        if (!turns_mine())                                                                                             \
            return NEXT(pthread_rwlock_timed##name)(l, until);                                                         \
        return TRY_UNDER_CONTROL(NEXT(pthread_rwlock_##try)(l), l, until);                                             \
    }                                                                                                                  \
    PUBLIC int pthread_rwlock_clock##name(pthread_rwlock_t *restrict l, clockid_t clock,                               \
                                          const struct timespec *restrict until)                                       \
    {                                                                                                                  \
        if (!turns_mine())                                                                                             \
            return NEXT(pthread_rwlock_clock##name)(l, clock, until);                                                  \
        return TRY_UNDER_CONTROL(NEXT(pthread_rwlock_##try)(l), l, until);                                             \
    }                                                                                                                  \
    PUBLIC int pthread_rwlock_##try(pthread_rwlock_t *l)                                                               \
    {                                                                                                                  \
        turns_point();                                                                                                 \
        return NEXT(pthread_rwlock_##try)(l);                                                                          \
    }

RWLOCK(rdlock, tryrdlock)
RWLOCK(wrlock, trywrlock)

PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    int error = NEXT(pthread_rwlock_unlock)(l);
    if (!error && unlikely(turns_on))
        turns_wake(l, UINT32_MAX);
    return error;
}

PUBLIC int pthread_spin_lock(pthread_spinlock_t *l)
{
    if (!turns_mine())
        return NEXT(pthread_spin_lock)(l);
    return TRY_UNDER_CONTROL(NEXT(pthread_spin_trylock)(l), (const void *)(uintptr_t)l, NULL);
}

PUBLIC int pthread_spin_unlock(pthread_spinlock_t *l)
{
    int error = NEXT(pthread_spin_unlock)(l);
    if (unlikely(turns_on))
        turns_wake((const void *)(uintptr_t)l, UINT32_MAX);
    return error;
}

// ---- semaphores ----

static int try_semaphore(sem_t *s)
{
    pthread_testcancel();
    return !NEXT(sem_trywait)(s) ? 0 : errno == EAGAIN ? EBUSY : errno;
}

static int semaphore_under_control(sem_t *s, const struct timespec *until)
{
    int before = errno, error = TRY_UNDER_CONTROL(try_semaphore(s), s, until);
    errno = error ? error : before;
    return error ? -1 : 0;
}

PUBLIC int sem_wait(sem_t *s)
{
    if (injector_fails(injector_asks(CALL_SEM_WAIT, HERE)))
        return -1;
    return turns_mine() ? semaphore_under_control(s, NULL) : NEXT(sem_wait)(s);
}

PUBLIC int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
    if (injector_fails(injector_asks(CALL_SEM_TIMEDWAIT, HERE)))
        return -1;
    return turns_mine() ? semaphore_under_control(s, until) : NEXT(sem_timedwait)(s, until);
}

PUBLIC int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict until)
{
    if (injector_fails(injector_asks(CALL_SEM_TIMEDWAIT, HERE)))
        return -1;
    return turns_mine() ? semaphore_under_control(s, until) : NEXT(sem_clockwait)(s, clock, until);
}

PUBLIC int sem_trywait(sem_t *s)
{
    turns_point();
    return NEXT(sem_trywait)(s);
}

PUBLIC int sem_post(sem_t *s)
{
    int error = NEXT(sem_post)(s);
    if (!error && unlikely(turns_on))
        turns_wake(s, 1);
    return error;
}

// ---- barriers ----

enum { BARRIERS = 256 };

// Those that the program has made, while one thread runs at a time. Volatile as in injector_turns.c.
static volatile struct {
    const pthread_barrier_t *barrier;
    uint32_t count, arrived, round;
} barriers[BARRIERS];

static uint32_t barrier_of(const pthread_barrier_t *b)
{
    uint32_t i = 0;
    while (i < BARRIERS && barriers[i].barrier != b && barriers[i].barrier)
        i++;
    return i;
}

PUBLIC int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes,
                                unsigned count)
{
    trace_event(CANONICAL_BARRIER, b, CANONICAL_BARRIER_COUNT + count, HERE);
    uint32_t i = turns_mine() ? barrier_of(b) : BARRIERS;
    if (i < BARRIERS) {
        barriers[i].barrier = b;
        barriers[i].count = count;
        barriers[i].arrived = 0;
    }
    return NEXT(pthread_barrier_init)(b, attributes, count);
}

static int arrive_under_control(pthread_barrier_t *b)
{
    uint32_t i = barrier_of(b);
    turns_point();
    if (i == BARRIERS || !barriers[i].barrier)
        return NEXT(pthread_barrier_wait)(b);
    uint32_t round = barriers[i].round;
    if (++barriers[i].arrived < barriers[i].count) {
        while (barriers[i].round == round)
            turns_block(b, NULL);
        return 0;
    }
    barriers[i].arrived = 0;
    barriers[i].round++;
    turns_wake(b, UINT32_MAX);
    return PTHREAD_BARRIER_SERIAL_THREAD;
}

// All arrivals of a round come before all departures.
PUBLIC int pthread_barrier_wait(pthread_barrier_t *b)
{
    trace_event(CANONICAL_BARRIER, b, CANONICAL_ARRIVES, HERE);
    int error = turns_mine() ? arrive_under_control(b) : NEXT(pthread_barrier_wait)(b);
    trace_event(CANONICAL_BARRIER, b, CANONICAL_LEAVES, HERE);
    return error;
}

// ---- threads ----

static int joined(int error, uint64_t path, const void *pc)
{
    if (!error && trace_on)
        trace_event(CANONICAL_JOIN, NULL, path, pc);
    return error;
}

int injected_join(pthread_t handle, void **value, const void *pc)
{
    uint64_t path = unlikely(trace_on) ? trace_handle(handle) : 0;
    if (turns_mine())
        turns_join(handle, NULL);
    return joined(NEXT(pthread_join)(handle, value), path, pc);
}

PUBLIC int pthread_join(pthread_t handle, void **value)
{
    return injected_join(handle, value, HERE);
}

PUBLIC int pthread_tryjoin_np(pthread_t handle, void **value)
{
    uint64_t path = unlikely(trace_on) ? trace_handle(handle) : 0;
    turns_point();
    if (turns_mine())
        return turns_ended(handle) ? injected_join(handle, value, HERE) : EBUSY;
    return joined(NEXT(pthread_tryjoin_np)(handle, value), path, HERE);
}

static int timed_join(pthread_t handle, void **value, clockid_t clock, const struct timespec *until, const void *pc)
{
    uint64_t path = unlikely(trace_on) ? trace_handle(handle) : 0;
    if (turns_mine())
        return turns_join(handle, until) ? injected_join(handle, value, pc) : ETIMEDOUT;
    return joined(NEXT(pthread_clockjoin_np)(handle, value, clock, until), path, pc);
}

PUBLIC int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *until)
{
    return timed_join(handle, value, CLOCK_REALTIME, until, HERE);
}

PUBLIC int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock, const struct timespec *until)
{
    return timed_join(handle, value, clock, until, HERE);
}

// Somebody may wait in circles for being cancelled.
PUBLIC void pthread_testcancel(void)
{
    turns_tick();
    NEXT(pthread_testcancel)();
}

PUBLIC int pthread_cancel(pthread_t handle)
{
    int error = NEXT(pthread_cancel)(handle);
    if (!error && turns_mine())
        turns_nudge(handle);
    return error;
}

// A thread's own end is told by whoever started it; main has nobody.
PUBLIC void pthread_exit(void *value)
{
    if (!injector_self.number)
        turns_end();
    NEXT(pthread_exit)(value);
    __builtin_unreachable();
}

int injected_once(pthread_once_t *once, void (*run)(void))
{
    enum { GLIBC_RUNS = 1, GLIBC_DONE = 2 };
    while (turns_mine() && (*once & (GLIBC_RUNS | GLIBC_DONE)) == GLIBC_RUNS)
        turns_block(once, NULL);
    int error = NEXT(pthread_once)(once, run);
    if (unlikely(turns_on))
        turns_wake(once, UINT32_MAX);
    return error;
}

PUBLIC int pthread_once(pthread_once_t *once, void (*run)(void))
{
    return injected_once(once, run);
}

PUBLIC int sched_yield(void)
{
    turns_point();
    return turns_mine() ? 0 : NEXT(sched_yield)();
}

// ---- time: under control all clocks show the same, and that is the same in every run ----

PUBLIC int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!turns_mine())
        return NEXT(clock_gettime)(clock, time);
    *time = time_of(turns_now());
    return 0;
}

PUBLIC int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    if (!turns_mine())
        return NEXT(gettimeofday)(time, zone);
    struct timespec shown = time_of(turns_now());
    *time = (struct timeval){shown.tv_sec, shown.tv_nsec / 1000};
    return 0;
}

PUBLIC time_t time(time_t *to)
{
    if (!turns_mine())
        return NEXT(time)(to);
    time_t shown = (time_t)(turns_now() / 1000000000);
    if (to)
        *to = shown;
    return shown;
}

PUBLIC int timespec_get(struct timespec *time, int base)
{
    if (!turns_mine() || base != TIME_UTC)
        return NEXT(timespec_get)(time, base);
    *time = time_of(turns_now());
    return base;
}

// How long the rest is, if it was interrupted; then EINTR.
int injected_sleep(enum injection_call call, const struct timespec *time, struct timespec *left, const void *pc)
{
    uint64_t rest;
    if (injector_fails(injector_asks(call, pc)))
        rest = ns_of(time);
    else if (!turns_mine())
        return NEXT(nanosleep)(time, left);
    else if ((rest = sleep_under_control(ns_of(time))))
        errno = EINTR;
    if (rest && left)
        *left = time_of(rest);
    return rest ? -1 : 0;
}

PUBLIC int nanosleep(const struct timespec *time, struct timespec *left)
{
    return injected_sleep(CALL_NANOSLEEP, time, left, HERE);
}

PUBLIC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    if (!turns_mine())
        return NEXT(clock_nanosleep)(clock, flags, time, left);
    uint64_t ns = ns_of(time), now = flags & TIMER_ABSTIME ? turns_now() : 0;
    uint64_t rest = sleep_under_control(ns > now ? ns - now : 0);
    if (rest && left && !(flags & TIMER_ABSTIME))
        *left = time_of(rest);
    return rest ? EINTR : 0;
}

PUBLIC int usleep(useconds_t time)
{
    if (!turns_mine())
        return NEXT(usleep)(time);
    uint64_t rest = sleep_under_control((uint64_t)time * 1000);
    if (rest)
        errno = EINTR;
    return rest ? -1 : 0;
}

PUBLIC unsigned sleep(unsigned seconds)
{
    if (!turns_mine())
        return NEXT(sleep)(seconds);
    return (unsigned)((sleep_under_control((uint64_t)seconds * 1000000000) + 500000000) / 1000000000);
}
