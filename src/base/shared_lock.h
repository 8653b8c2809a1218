// A lock between processes, for moments. Whoever ends while it has the lock is found out by its number.
#ifndef BASE_SHARED_LOCK_H
#define BASE_SHARED_LOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "base/raw.h"

static inline void shared_lock(volatile uint32_t *lock)
{
    const uint32_t self = (uint32_t)raw_call(SYS_getpid, 0, 0, 0);
    uint32_t nobody = 0;
    while (!__atomic_compare_exchange_n(lock, &nobody, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        nobody = 0;
        raw_call(SYS_sched_yield, 0, 0, 0);
    }
}

static inline void shared_unlock(volatile uint32_t *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

// Takes the lock, from a process that has ended if that had it.
static inline void shared_lock_inherit(volatile uint32_t *lock, uint32_t process)
{
    const uint32_t self = (uint32_t)raw_call(SYS_getpid, 0, 0, 0);
    uint32_t dead = process;
    if (!__atomic_compare_exchange_n(lock, &dead, self, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        shared_lock(lock);
}

// This process has ended, wherever it was.
static inline void shared_lock_bury(volatile uint32_t *lock, uint32_t process)
{
    __atomic_compare_exchange_n(lock, &process, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

#endif
