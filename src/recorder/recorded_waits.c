// Condition variables, barriers, semaphores and routines that run once. A call that may let others go on takes its number before,
// one that may have been let go on by others after it returned; a wait is recorded at both ends.
#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <threads.h>
#include <time.h>

static int waited(const volatile void *condition, const volatile void *mutex, int error, const void *pc)
{
    recorder_sync(RECORDING_WAIT_END, condition, (uint64_t)(uintptr_t)mutex, error ? RECORDING_FAILED : 0, pc);
    return error;
}

// A thread that is cancelled while it waits has the mutex again, too.
struct wait {
    const volatile void *condition, *mutex;
    const void *pc;
};

static void wait_cancelled(void *argument)
{
    const struct wait *w = argument;
    waited(w->condition, w->mutex, ECANCELED, w->pc);
}

#define WAITING(how, name, parameters, arguments)                                                                      \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        struct wait w = {c, m, HERE};                                                                                  \
        int error;                                                                                                     \
        recorder_sync(RECORDING_WAIT_BEGIN, c, (uint64_t)(uintptr_t)m, how, HERE);                                     \
        pthread_cleanup_push(wait_cancelled, &w);                                                                      \
        error = NATIVE(name) arguments;                                                                                \
        pthread_cleanup_pop(0);                                                                                        \
        return waited(c, m, error, HERE);                                                                              \
    }

#define WAKING(name, op, type)                                                                                         \
    PUBLIC int name(type *c)                                                                                           \
    {                                                                                                                  \
        recorder_sync(op, c, 0, 0, HERE);                                                                              \
        return NATIVE(name)(c);                                                                                        \
    }

WAITING(0, pthread_cond_wait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m), (c, m))
WAITING(RECORDING_TRIED, pthread_cond_timedwait,
        (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until), (c, m, until))
WAITING(RECORDING_TRIED, pthread_cond_clockwait,
        (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
         const struct timespec *restrict until),
        (c, m, clock, until))
WAITING(0, cnd_wait, (cnd_t * c, mtx_t *m), (c, m))
WAITING(RECORDING_TRIED, cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until),
        (c, m, until))
WAKING(pthread_cond_signal, RECORDING_SIGNAL, pthread_cond_t)
WAKING(pthread_cond_broadcast, RECORDING_BROADCAST, pthread_cond_t)
WAKING(cnd_signal, RECORDING_SIGNAL, cnd_t)
WAKING(cnd_broadcast, RECORDING_BROADCAST, cnd_t)

PUBLIC int pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict attributes)
{
    recorder_sync(RECORDING_FORGET, c, 0, 0, HERE);
    return NATIVE(pthread_cond_init)(c, attributes);
}

PUBLIC int pthread_cond_destroy(pthread_cond_t *c)
{
    int error = NATIVE(pthread_cond_destroy)(c);
    recorder_sync(RECORDING_FORGET, c, 0, 0, HERE);
    return error;
}

// ---- barriers ----

PUBLIC int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict attributes,
                                unsigned count)
{
    recorder_sync(RECORDING_BARRIER_INIT, b, count, 0, HERE);
    return NATIVE(pthread_barrier_init)(b, attributes, count);
}

PUBLIC int pthread_barrier_wait(pthread_barrier_t *b)
{
    recorder_sync(RECORDING_BARRIER_ENTER, b, 0, 0, HERE);
    int answer = NATIVE(pthread_barrier_wait)(b);
    recorder_sync(RECORDING_BARRIER_LEAVE, b, answer == PTHREAD_BARRIER_SERIAL_THREAD, 0, HERE);
    return answer;
}

PUBLIC int pthread_barrier_destroy(pthread_barrier_t *b)
{
    int error = NATIVE(pthread_barrier_destroy)(b);
    recorder_sync(RECORDING_FORGET, b, 0, 0, HERE);
    return error;
}

// ---- semaphores ----

static int taken(const volatile void *semaphore, uint32_t how, int error, const void *pc)
{
    int kept = errno;
    recorder_sync(RECORDING_TAKE, semaphore, 0, error ? how | RECORDING_FAILED : how, pc);
    errno = kept;
    return error;
}

PUBLIC int sem_init(sem_t *s, int shared, unsigned value)
{
    recorder_sync(RECORDING_SEMAPHORE_INIT, s, value, 0, HERE);
    return NATIVE(sem_init)(s, shared, value);
}

PUBLIC int sem_destroy(sem_t *s)
{
    int error = NATIVE(sem_destroy)(s);
    recorder_sync(RECORDING_FORGET, s, 0, 0, HERE);
    return error;
}

PUBLIC int sem_post(sem_t *s)
{
    recorder_sync(RECORDING_POST, s, 0, 0, HERE);
    return NATIVE(sem_post)(s);
}

PUBLIC int sem_wait(sem_t *s)
{
    return taken(s, 0, NATIVE(sem_wait)(s), HERE);
}

PUBLIC int sem_trywait(sem_t *s)
{
    return taken(s, RECORDING_TRIED, NATIVE(sem_trywait)(s), HERE);
}

PUBLIC int sem_timedwait(sem_t *restrict s, const struct timespec *restrict until)
{
    return taken(s, RECORDING_TRIED, NATIVE(sem_timedwait)(s, until), HERE);
}

PUBLIC int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict until)
{
    return taken(s, RECORDING_TRIED, NATIVE(sem_clockwait)(s, clock, until), HERE);
}

// ---- once ----

// What the thread is about to run; it may run another inside.
struct once {
    const volatile void *control;
    void (*routine)(void);
    const void *pc;
    bool runs;
};

static __thread struct once *innermost __attribute__((tls_model("initial-exec")));

static void once_left(void *once)
{
    const struct once *o = once;
    recorder_sync(RECORDING_ONCE_END, o->control, 0, RECORDING_FAILED, o->pc);
}

static void run_once(void)
{
    struct once *o = innermost;
    o->runs = true;
    recorder_sync(RECORDING_ONCE_BEGIN, o->control, 0, 0, o->pc);
    pthread_cleanup_push(once_left, o);
    o->routine();
    pthread_cleanup_pop(0);
    recorder_sync(RECORDING_ONCE_END, o->control, 0, 0, o->pc);
}

static int call_once_with(int (*native)(pthread_once_t *, void (*)(void)), struct once *o)
{
    struct once *outer = innermost;
    innermost = o;
    int error = native((pthread_once_t *)(uintptr_t)o->control, run_once);
    innermost = outer;
    if (!o->runs)
        recorder_sync(RECORDING_ONCE_PASS, o->control, 0, 0, o->pc);
    return error;
}

PUBLIC int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    struct once o = {control, routine, HERE, false};
    return call_once_with(NATIVE(pthread_once), &o);
}

// The C library's once_flag is a pthread_once_t.
PUBLIC void call_once(once_flag *flag, void (*routine)(void))
{
    struct once o = {flag, routine, HERE, false};
    call_once_with(NATIVE(pthread_once), &o);
}

// C++: local static variables.
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

PUBLIC int __cxa_guard_acquire(uint64_t *guard)
{
    int first = NATIVE(__cxa_guard_acquire)(guard);
    recorder_sync(first ? RECORDING_ONCE_BEGIN : RECORDING_ONCE_PASS, guard, 0, 0, HERE);
    return first;
}

PUBLIC void __cxa_guard_release(uint64_t *guard)
{
    recorder_sync(RECORDING_ONCE_END, guard, 0, 0, HERE);
    NATIVE(__cxa_guard_release)(guard);
}

PUBLIC void __cxa_guard_abort(uint64_t *guard)
{
    recorder_sync(RECORDING_ONCE_END, guard, 0, RECORDING_FAILED, HERE);
    NATIVE(__cxa_guard_abort)(guard);
}
