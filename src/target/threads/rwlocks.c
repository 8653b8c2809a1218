// Readers–writer locks. `owner` is the writer, `depth` counts the readers, `waiters` is the set of threads that read.
//
// The order in which threads take the lock counts, also among readers: that is more than matters, but a writer that comes
// between two readers has to wait for one of them only, and what it then knows cannot be told from the order of groups.
// Letting go is silent as for mutexes. A failed try would see that, so the try calls are refused.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "target/threads/engine.h"
#include "target/threads/native.h"
#include "target/threads/operations.h"
#include "target/threads/public.h"

#define HERE __builtin_return_address(0)

bool rdlock_ready(struct thread *t, struct place *lock)
{
    (void)t;
    return !lock->owner;
}

bool wrlock_ready(struct thread *t, struct place *lock)
{
    (void)t;
    return !lock->owner && !lock->depth;
}

enum effect do_rdlock(struct thread *t, struct place *lock)
{
    keep_place(lock);
    lock->depth++;
    lock->waiters[t->actor / 64] |= 1ull << (t->actor % 64);
    know_acquire(&engine.races, &t->know, &lock->release);
    t->result = lock->depth == 1; // it was free: somebody else might have taken it to write
    return EFFECT_WRITE;
}

void after_rdlock(struct thread *t, enum effect effect)
{
    uint32_t object = t->request.object;
    if (effect == EFFECT_WRITE && t->result)
        exec_hold(&engine.exec, object, engine.exec.count - 1);
    exec_release(&engine.exec, t->actor, object); // whoever takes it next comes after this, not after the unlock
}

enum effect do_wrlock(struct thread *t, struct place *lock)
{
    keep_place(lock);
    lock->owner = t->actor + 1;
    know_acquire(&engine.races, &t->know, &lock->release);
    know_acquire(&engine.races, &t->know, &lock->shared);
    t->result = 0;
    return EFFECT_WRITE;
}

static bool reads(const struct place *lock, const struct thread *t)
{
    return lock->waiters[t->actor / 64] >> (t->actor % 64) & 1;
}

static int lock_for(struct thread *t, pthread_rwlock_t *l, enum op_kind kind, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    struct place *lock = &engine.places[number];
    if (lock->state & PLACE_DESTROYED)
        fail_and_stop(t, BUG_LOCK_MISUSE, lock->address, pc, "locks a readers-writer lock that was destroyed");
    if (lock->owner == t->actor + 1)
        return EDEADLK;
    ask(t, kind, lock->address, number, pc);
    visible(t);
    return 0;
}

PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? lock_for(t, l, OP_RDLOCK, HERE) : NATIVE(pthread_rwlock_rdlock)(l);
}

PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? lock_for(t, l, OP_WRLOCK, HERE) : NATIVE(pthread_rwlock_wrlock)(l);
}

static void stop_writing(struct thread *t, struct place *lock, uint32_t number)
{
    lock->owner = 0;
    lock->shared = (struct release){0};
    know_release(&engine.races, &t->know, &lock->release);
    exec_release(&engine.exec, t->actor, number);
}

static void stop_reading(struct thread *t, struct place *lock, uint32_t number)
{
    lock->depth--;
    lock->waiters[t->actor / 64] &= ~(1ull << (t->actor % 64));
    know_release_more(&engine.races, &t->know, &lock->shared);
    exec_release_shared(&engine.exec, t->actor, number);
}

PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_rwlock_unlock)(l);
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    struct place *lock = &engine.places[number];
    if (lock->owner != t->actor + 1 && !reads(lock, t))
        fail_and_stop(t, BUG_LOCK_MISUSE, lock->address, HERE, "unlocks a readers-writer lock that it does not hold");
    if (engine.record)
        record_silent(t, SILENT_UNLOCK, lock->address, 0, 0, HERE);
    keep_place(lock);
    if (lock->owner)
        stop_writing(t, lock, number);
    else
        stop_reading(t, lock, number);
    return 0;
}

PUBLIC int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes)
{
    if (!engine.running)
        return NATIVE(pthread_rwlock_init)(l, attributes);
    access_write(l, sizeof *l, HERE);
    *l = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    struct place *lock = &engine.places[place_at((uint64_t)(uintptr_t)l)];
    keep_place(lock);
    place_clear(lock);
    return 0;
}

PUBLIC int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_rwlock_destroy)(l);
    struct place *lock = &engine.places[place_at((uint64_t)(uintptr_t)l)];
    if (lock->owner || lock->depth)
        fail_and_stop(t, BUG_LOCK_MISUSE, lock->address, HERE, "destroys a readers-writer lock that is held");
    keep_place(lock);
    lock->state = PLACE_DESTROYED;
    return 0;
}
