// Attributes of threads and of what they synchronise by. What they mean to the search is read where an object is made;
// here the C library's own functions do their work, and heddle is told what they read and write. Whether an object is
// shared between processes, and priorities, make no difference: every order is explored.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

// A call that changes an attribute object, and one that asks for a value of it.
#define CHANGE(name, attributes)                                                                                       \
    PUBLIC int name(attributes *a)                                                                                     \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            access_write(a, sizeof *a, HERE);                                                                          \
        return NATIVE(name)(a);                                                                                        \
    }
#define SET(name, attributes, type)                                                                                    \
    PUBLIC int name(attributes *a, type value)                                                                         \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            access_write(a, sizeof *a, HERE);                                                                          \
        return NATIVE(name)(a, value);                                                                                 \
    }
#define GET(name, attributes, type)                                                                                    \
    PUBLIC int name(const attributes *a, type *value)                                                                  \
    {                                                                                                                  \
        if (engine.running) {                                                                                          \
            access_read(a, sizeof *a, HERE);                                                                           \
            access_write(value, sizeof *value, HERE);                                                                  \
        }                                                                                                              \
        return NATIVE(name)(a, value);                                                                                 \
    }

CHANGE(pthread_attr_init, pthread_attr_t)
CHANGE(pthread_attr_destroy, pthread_attr_t)
SET(pthread_attr_setdetachstate, pthread_attr_t, int)
GET(pthread_attr_getdetachstate, pthread_attr_t, int)
SET(pthread_attr_setguardsize, pthread_attr_t, size_t)
GET(pthread_attr_getguardsize, pthread_attr_t, size_t)
SET(pthread_attr_setinheritsched, pthread_attr_t, int)
GET(pthread_attr_getinheritsched, pthread_attr_t, int)
SET(pthread_attr_setschedpolicy, pthread_attr_t, int)
GET(pthread_attr_getschedpolicy, pthread_attr_t, int)
SET(pthread_attr_setscope, pthread_attr_t, int)
GET(pthread_attr_getscope, pthread_attr_t, int)
SET(pthread_attr_setstacksize, pthread_attr_t, size_t)
GET(pthread_attr_getstacksize, pthread_attr_t, size_t)
GET(pthread_attr_getschedparam, pthread_attr_t, struct sched_param)
GET(pthread_attr_getsigmask_np, pthread_attr_t, sigset_t)

CHANGE(pthread_mutexattr_init, pthread_mutexattr_t)
CHANGE(pthread_mutexattr_destroy, pthread_mutexattr_t)
SET(pthread_mutexattr_settype, pthread_mutexattr_t, int)
GET(pthread_mutexattr_gettype, pthread_mutexattr_t, int)
SET(pthread_mutexattr_setrobust, pthread_mutexattr_t, int)
GET(pthread_mutexattr_getrobust, pthread_mutexattr_t, int)
SET(pthread_mutexattr_setpshared, pthread_mutexattr_t, int)
GET(pthread_mutexattr_getpshared, pthread_mutexattr_t, int)
SET(pthread_mutexattr_setprotocol, pthread_mutexattr_t, int)
GET(pthread_mutexattr_getprotocol, pthread_mutexattr_t, int)
SET(pthread_mutexattr_setprioceiling, pthread_mutexattr_t, int)
GET(pthread_mutexattr_getprioceiling, pthread_mutexattr_t, int)

CHANGE(pthread_condattr_init, pthread_condattr_t)
CHANGE(pthread_condattr_destroy, pthread_condattr_t)
SET(pthread_condattr_setclock, pthread_condattr_t, clockid_t)
GET(pthread_condattr_getclock, pthread_condattr_t, clockid_t)
SET(pthread_condattr_setpshared, pthread_condattr_t, int)
GET(pthread_condattr_getpshared, pthread_condattr_t, int)

CHANGE(pthread_rwlockattr_init, pthread_rwlockattr_t)
CHANGE(pthread_rwlockattr_destroy, pthread_rwlockattr_t)
SET(pthread_rwlockattr_setpshared, pthread_rwlockattr_t, int)
GET(pthread_rwlockattr_getpshared, pthread_rwlockattr_t, int)
SET(pthread_rwlockattr_setkind_np, pthread_rwlockattr_t, int)
GET(pthread_rwlockattr_getkind_np, pthread_rwlockattr_t, int)

CHANGE(pthread_barrierattr_init, pthread_barrierattr_t)
CHANGE(pthread_barrierattr_destroy, pthread_barrierattr_t)
SET(pthread_barrierattr_setpshared, pthread_barrierattr_t, int)
GET(pthread_barrierattr_getpshared, pthread_barrierattr_t, int)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
SET(pthread_attr_setstackaddr, pthread_attr_t, void *)
GET(pthread_attr_getstackaddr, pthread_attr_t, void *)
#pragma GCC diagnostic pop

PUBLIC int pthread_attr_setaffinity_np(pthread_attr_t *a, size_t size, const cpu_set_t *set)
{
    if (engine.running) {
        access_read(set, size, HERE);
        access_write(a, sizeof *a, HERE);
    }
    return NATIVE(pthread_attr_setaffinity_np)(a, size, set);
}

PUBLIC int pthread_attr_getaffinity_np(const pthread_attr_t *a, size_t size, cpu_set_t *set)
{
    if (engine.running)
        access_write(set, size, HERE);
    return NATIVE(pthread_attr_getaffinity_np)(a, size, set);
}

PUBLIC int pthread_attr_setsigmask_np(pthread_attr_t *a, const sigset_t *set)
{
    if (engine.running) {
        access_read(set, sizeof *set, HERE);
        access_write(a, sizeof *a, HERE);
    }
    return NATIVE(pthread_attr_setsigmask_np)(a, set);
}

PUBLIC int pthread_attr_setschedparam(pthread_attr_t *a, const struct sched_param *value)
{
    if (engine.running) {
        access_read(value, sizeof *value, HERE);
        access_write(a, sizeof *a, HERE);
    }
    return NATIVE(pthread_attr_setschedparam)(a, value);
}

// The stack that the program offers is never used, since heddle's own calls need room there as well: threads have stacks of
// the arena, as large as that one.
PUBLIC int pthread_attr_setstack(pthread_attr_t *a, void *start, size_t size)
{
    if (engine.running)
        access_write(a, sizeof *a, HERE);
    return NATIVE(pthread_attr_setstack)(a, start, size);
}

PUBLIC int pthread_attr_getstack(const pthread_attr_t *a, void **start, size_t *size)
{
    if (engine.running) {
        access_write(start, sizeof *start, HERE);
        access_write(size, sizeof *size, HERE);
    }
    return NATIVE(pthread_attr_getstack)(a, start, size);
}

// The attributes of a thread that exists: where its stack lies, whether it is detached.
PUBLIC int pthread_getattr_np(pthread_t handle, pthread_attr_t *a)
{
    if (!engine.running)
        return NATIVE(pthread_getattr_np)(handle, a);
    const struct thread *other = thread_of(handle);
    if (!other)
        return ESRCH;
    access_write(a, sizeof *a, HERE);
    uint8_t *top = other->own_stack.top, *low = top - other->own_stack.size;
    NATIVE(pthread_attr_init)(a);
    NATIVE(pthread_attr_setstack)(a, low, (size_t)(top - low));
    NATIVE(pthread_attr_setguardsize)(a, 4096);
    return NATIVE(pthread_attr_setdetachstate)(a, other->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}

PUBLIC int pthread_mutex_getprioceiling(const pthread_mutex_t *m, int *value)
{
    if (engine.running)
        access_write(value, sizeof *value, HERE);
    return NATIVE(pthread_mutex_getprioceiling)(m, value);
}

// It is changed while the mutex is held; the C library's own lock in it is never taken.
PUBLIC int pthread_mutex_setprioceiling(pthread_mutex_t *m, int value, int *before)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_mutex_setprioceiling)(m, value, before);
    bool held = engine.places[place_at((uint64_t)(uintptr_t)m)].owner == t->actor + 1;
    int answer = held ? 0 : mutex_lock(t, m, HERE);
    if (answer)
        return answer;
    access_write(m, sizeof *m, HERE);
    access_write(before, sizeof *before, HERE);
    answer = NATIVE(pthread_mutex_setprioceiling)(m, value, before);
    if (!held)
        mutex_unlock(t, m, HERE);
    return answer;
}

ALSO(__pthread_mutexattr_init, pthread_mutexattr_init);
ALSO(__pthread_mutexattr_destroy, pthread_mutexattr_destroy);
ALSO(__pthread_mutexattr_settype, pthread_mutexattr_settype);
ALSO(pthread_mutexattr_setkind_np, pthread_mutexattr_settype);
ALSO(pthread_mutexattr_getkind_np, pthread_mutexattr_gettype);
ALSO(pthread_mutexattr_setrobust_np, pthread_mutexattr_setrobust);
ALSO(pthread_mutexattr_getrobust_np, pthread_mutexattr_getrobust);
