// Mutexes, spin locks and readers–writer locks, of pthread and of C11. A lock takes its number once it is held, and the number of
// its release is taken while it is still held: so the numbers of one lock's sections do not interleave.
#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

// What was called, after it returned `error`. `how`: 0, or RECORDING_TRIED if it does not wait for ever.
static int locked(enum recording_op op, enum recording_lock kind, uint32_t how, const volatile void *lock, int error,
                  const void *pc)
{
    bool held = !error || error == EOWNERDEAD;
    recorder_sync(op, lock, kind, held ? how : how | RECORDING_FAILED, pc);
    return error;
}

static int forget(const volatile void *object, int error, const void *pc)
{
    if (!error)
        recorder_sync(RECORDING_FORGET, object, 0, 0, pc);
    return error;
}

#define LOCKING_SO(how, name, op, kind, parameters, arguments)                                                         \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        return locked(op, kind, how, l, NATIVE(name) arguments, HERE);                                                 \
    }
#define LOCKING(...) LOCKING_SO(0, __VA_ARGS__)
#define TRYING(...) LOCKING_SO(RECORDING_TRIED, __VA_ARGS__)

#define UNLOCKING(name, kind, type)                                                                                    \
    PUBLIC int name(type *l)                                                                                           \
    {                                                                                                                  \
        recorder_sync(RECORDING_UNLOCK, l, kind, 0, HERE);                                                             \
        return NATIVE(name)(l);                                                                                        \
    }

#define FORGETTING(name, parameters, arguments)                                                                        \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        return forget(l, NATIVE(name) arguments, HERE);                                                                \
    }

FORGETTING(pthread_mutex_init, (pthread_mutex_t * l, const pthread_mutexattr_t *attributes), (l, attributes))
FORGETTING(pthread_mutex_destroy, (pthread_mutex_t * l), (l))
LOCKING(pthread_mutex_lock, RECORDING_LOCK, RECORDING_MUTEX, (pthread_mutex_t * l), (l))
TRYING(pthread_mutex_trylock, RECORDING_LOCK, RECORDING_MUTEX, (pthread_mutex_t * l), (l))
TRYING(pthread_mutex_timedlock, RECORDING_LOCK, RECORDING_MUTEX,
       (pthread_mutex_t *restrict l, const struct timespec *restrict until), (l, until))
TRYING(pthread_mutex_clocklock, RECORDING_LOCK, RECORDING_MUTEX,
       (pthread_mutex_t *restrict l, clockid_t clock, const struct timespec *restrict until), (l, clock, until))
UNLOCKING(pthread_mutex_unlock, RECORDING_MUTEX, pthread_mutex_t)

FORGETTING(pthread_spin_init, (pthread_spinlock_t * l, int shared), (l, shared))
FORGETTING(pthread_spin_destroy, (pthread_spinlock_t * l), (l))
LOCKING(pthread_spin_lock, RECORDING_LOCK, RECORDING_SPINLOCK, (pthread_spinlock_t * l), (l))
TRYING(pthread_spin_trylock, RECORDING_LOCK, RECORDING_SPINLOCK, (pthread_spinlock_t * l), (l))
UNLOCKING(pthread_spin_unlock, RECORDING_SPINLOCK, pthread_spinlock_t)

#define RWLOCKING(name, op, parameters, arguments) LOCKING(name, op, RECORDING_RWLOCK, parameters, arguments)
#define RWLOCK_TRYING(name, op, parameters, arguments) TRYING(name, op, RECORDING_RWLOCK, parameters, arguments)
#define RWLOCK_TIMED(call, op)                                                                                         \
    RWLOCKING(pthread_rwlock_##call##lock, op, (pthread_rwlock_t * l), (l))                                            \
    RWLOCK_TRYING(pthread_rwlock_try##call##lock, op, (pthread_rwlock_t * l), (l))                                     \
    RWLOCK_TRYING(pthread_rwlock_timed##call##lock, op,                                                                \
                  (pthread_rwlock_t *restrict l, const struct timespec *restrict until), (l, until))                   \
    RWLOCK_TRYING(pthread_rwlock_clock##call##lock, op,                                                                \
                  (pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until),              \
                  (l, clock, until))

FORGETTING(pthread_rwlock_init, (pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict attributes),
           (l, attributes))
FORGETTING(pthread_rwlock_destroy, (pthread_rwlock_t * l), (l))
RWLOCK_TIMED(rd, RECORDING_LOCK_SHARED)
RWLOCK_TIMED(wr, RECORDING_LOCK)
UNLOCKING(pthread_rwlock_unlock, RECORDING_RWLOCK, pthread_rwlock_t)

FORGETTING(mtx_init, (mtx_t * l, int type), (l, type))
LOCKING(mtx_lock, RECORDING_LOCK, RECORDING_MUTEX, (mtx_t * l), (l))
TRYING(mtx_trylock, RECORDING_LOCK, RECORDING_MUTEX, (mtx_t * l), (l))
TRYING(mtx_timedlock, RECORDING_LOCK, RECORDING_MUTEX, (mtx_t *restrict l, const struct timespec *restrict until),
       (l, until))
UNLOCKING(mtx_unlock, RECORDING_MUTEX, mtx_t)

PUBLIC void mtx_destroy(mtx_t *l)
{
    recorder_sync(RECORDING_FORGET, l, 0, 0, HERE);
    NATIVE(mtx_destroy)(l);
}

// What the program says is meant to be atomic (heddle/heddle.h).
void heddle_atomic_region(int ends);

PUBLIC void heddle_atomic_region(int ends)
{
    recorder_sync(RECORDING_REGION, NULL, ends != 0, 0, HERE);
}
