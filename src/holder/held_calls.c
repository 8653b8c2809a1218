// Locks, releases of memory, and functions of the C library that read and write the program's memory.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "holder/holder.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

// ---- locks ----

static void note_lock(const volatile void *lock, int error)
{
    struct holder_thread *me = &holder_self;
    if (me->stuck) {
        if (holder.block)
            __atomic_fetch_sub(&holder.block->order[me->stuck - 1].stuck, 1, __ATOMIC_ACQ_REL);
        me->stuck = 0;
    }
    if (error && error != EOWNERDEAD)
        return;
    if (me->lock_count < HOLDER_LOCKS)
        me->locks[me->lock_count] = (uint64_t)(uintptr_t)lock;
    me->lock_count++;
}

static bool is_held(const struct holder_thread *me, uint64_t lock)
{
    for (uint32_t i = 0; i < me->lock_count && i < HOLDER_LOCKS; i++)
        if (me->locks[i] == lock)
            return true;
    return false;
}

// Of a recursive lock only the last release counts, as in recordings.
static void note_unlock(const volatile void *lock)
{
    struct holder_thread *me = &holder_self;
    uint32_t i = me->lock_count < HOLDER_LOCKS ? me->lock_count : HOLDER_LOCKS;
    while (i > 0 && me->locks[i - 1] != (uint64_t)(uintptr_t)lock)
        i--;
    for (; i > 0 && i < me->lock_count && i < HOLDER_LOCKS; i++)
        me->locks[i - 1] = me->locks[i];
    if (me->lock_count)
        me->lock_count--;
    me->releases += !is_held(me, (uint64_t)(uintptr_t)lock);
}

#define LOCKING(name, parameters, arguments)                                                                           \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        hold_at(l, 1, HERE);                                                                                           \
        int error = NEXT(name) arguments;                                                                              \
        note_lock(l, error);                                                                                           \
        return error;                                                                                                  \
    }

#define UNLOCKING(name, type)                                                                                          \
    PUBLIC int name(type *l)                                                                                           \
    {                                                                                                                  \
        hold_goes_on();                                                                                                \
        note_unlock(l);                                                                                                \
        return NEXT(name)(l);                                                                                          \
    }

LOCKING(pthread_mutex_lock, (pthread_mutex_t * l), (l))
LOCKING(pthread_mutex_trylock, (pthread_mutex_t * l), (l))
LOCKING(pthread_mutex_timedlock, (pthread_mutex_t *restrict l, const struct timespec *restrict until), (l, until))
LOCKING(pthread_mutex_clocklock, (pthread_mutex_t *restrict l, clockid_t clock, const struct timespec *restrict until),
        (l, clock, until))
UNLOCKING(pthread_mutex_unlock, pthread_mutex_t)

LOCKING(pthread_spin_lock, (pthread_spinlock_t * l), (l))
LOCKING(pthread_spin_trylock, (pthread_spinlock_t * l), (l))
UNLOCKING(pthread_spin_unlock, pthread_spinlock_t)

#define RWLOCK_TIMED(call)                                                                                             \
    LOCKING(pthread_rwlock_##call##lock, (pthread_rwlock_t * l), (l))                                                  \
    LOCKING(pthread_rwlock_try##call##lock, (pthread_rwlock_t * l), (l))                                               \
    LOCKING(pthread_rwlock_timed##call##lock, (pthread_rwlock_t *restrict l, const struct timespec *restrict until),   \
            (l, until))                                                                                                \
    LOCKING(pthread_rwlock_clock##call##lock,                                                                          \
            (pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict until), (l, clock, until))
RWLOCK_TIMED(rd)
RWLOCK_TIMED(wr)
UNLOCKING(pthread_rwlock_unlock, pthread_rwlock_t)

LOCKING(mtx_lock, (mtx_t * l), (l))
LOCKING(mtx_trylock, (mtx_t * l), (l))
LOCKING(mtx_timedlock, (mtx_t *restrict l, const struct timespec *restrict until), (l, until))
UNLOCKING(mtx_unlock, mtx_t)

// ---- condition variables ----

// Whoever waits lets the lock go meanwhile.
#define WAITING(name, parameters, arguments)                                                                           \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        hold_at(c, 1, HERE);                                                                                           \
        note_unlock(m);                                                                                                \
        int error = NEXT(name) arguments;                                                                              \
        note_lock(m, 0);                                                                                               \
        return error;                                                                                                  \
    }

#define WAKING(name, type)                                                                                             \
    PUBLIC int name(type *c)                                                                                           \
    {                                                                                                                  \
        hold_at(c, 1, HERE);                                                                                           \
        return NEXT(name)(c);                                                                                          \
    }

WAITING(pthread_cond_wait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m), (c, m))
WAITING(pthread_cond_timedwait,
        (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, const struct timespec *restrict until), (c, m, until))
WAITING(pthread_cond_clockwait,
        (pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
         const struct timespec *restrict until),
        (c, m, clock, until))
WAITING(cnd_wait, (cnd_t * c, mtx_t *m), (c, m))
WAITING(cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until), (c, m, until))
WAKING(pthread_cond_signal, pthread_cond_t)
WAKING(pthread_cond_broadcast, pthread_cond_t)
WAKING(cnd_signal, cnd_t)
WAKING(cnd_broadcast, cnd_t)

// ---- the heap ----

extern void __libc_free(void *);

// Memory that is to be used after this stays as it is: otherwise it might be somebody else's by then, and its use be right.
PUBLIC void free(void *p)
{
    if (likely(p != NULL))
        hold_at(p, 1, HERE);
    if (likely(!holder_self.keeps))
        __libc_free(p);
    holder_self.keeps = false;
}

// ---- blocks of memory, and text ----

#define COPYING(name)                                                                                                  \
    PUBLIC void *name(void *to, const void *from, size_t size)                                                         \
    {                                                                                                                  \
        hold_at(from, size, HERE);                                                                                     \
        hold_also(to, size, HERE);                                                                                     \
        return NEXT(name)(to, from, size);                                                                             \
    }
COPYING(memcpy)
COPYING(memmove)

PUBLIC void *memset(void *to, int value, size_t size)
{
    hold_at(to, size, HERE);
    return NEXT(memset)(to, value, size);
}

PUBLIC int memcmp(const void *one, const void *other, size_t size)
{
    hold_at(one, size, HERE);
    hold_also(other, size, HERE);
    return NEXT(memcmp)(one, other, size);
}

PUBLIC size_t strlen(const char *text)
{
    hold_at(text, 1, HERE);
    return NEXT(strlen)(text);
}
