// Readers–writer locks. `owner` is the writer, `depth` counts the readers, `waiters` is the set of threads that read.
//
// Readers commute. A writer comes after what all readers knew that have let go, and those only.
//
// Letting go is silent as for mutexes, unless there are try calls, which could see it. Then everything that is done to the
// lock is in one order, failed tries included, and each operation knows all that came before. What can be reversed is
// this: a reader can come in front of anything but a writer's letting go, a writer in front of what found the lock free.
//
// So where try calls could tell, the order of readers counts as if it mattered (OP_RDLOCK_SEEN), as does that of posts
// to a semaphore and of tries on either. The set of outcomes is exact there; the number of executions is not minimal.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/rwlocks.h"
#include "target/threads/pthread/surface.h"

// Threads that read more than once, and how often more. In use are those with a count.
enum { REPEATED = 256 };
static struct repeated {
    uint32_t object, actor;
    uint64_t count;
} repeated[REPEATED];
static uint64_t repeated_count; // entries ever used in this execution

static struct repeated *find_repeated(uint32_t object, uint32_t actor)
{
    for (uint64_t i = 0; i < repeated_count; i++)
        if (repeated[i].object == object && repeated[i].actor == actor)
            return &repeated[i];
    return NULL;
}

static void rwlocks_repeat(struct thread *t, uint32_t object)
{
    struct repeated *r = find_repeated(object, t->actor);
    if (!r) {
        if (repeated_count == REPEATED)
            unsupported(t, "the program reads more readers-writer locks repeatedly than heddle follows (256)");
        undo_save_word(&engine.undo, &repeated_count);
        r = &repeated[repeated_count++];
        undo_save(&engine.undo, r, sizeof *r);
        *r = (struct repeated){object, t->actor, 0};
    }
    undo_save_word(&engine.undo, &r->count);
    r->count++;
}

// Whether the thread reads on after letting go once.
static bool reads_on(struct thread *t, uint32_t object)
{
    struct repeated *r = find_repeated(object, t->actor);
    if (!r || !r->count)
        return false;
    undo_save_word(&engine.undo, &r->count);
    r->count--;
    return true;
}

static bool rwlocks_reads(const struct place *lock, const struct thread *t)
{
    return lock->waiters[t->actor / 64] >> (t->actor % 64) & 1;
}

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
    if (rwlocks_reads(lock, t))
        rwlocks_repeat(t, t->request.object);
    lock->depth++;
    lock->waiters[t->actor / 64] |= 1ull << (t->actor % 64);
    know_acquire(&engine.races, &t->know, &lock->release);
    journal_note(JOURNAL_SHARE, t, lock->address);
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

enum effect do_rdlock_among_others(struct thread *t, struct place *lock)
{
    do_rdlock(t, lock);
    return EFFECT_READ;
}

enum effect do_wrlock(struct thread *t, struct place *lock)
{
    keep_place(lock);
    lock->owner = t->actor + 1;
    know_acquire(&engine.races, &t->know, &lock->release);
    know_acquire(&engine.races, &t->know, &lock->shared);
    journal_note(JOURNAL_LOCK, t, lock->address);
    t->result = 0;
    return EFFECT_WRITE;
}

enum effect do_rwtry(struct thread *t, struct place *lock)
{
    bool read = t->request.kind == OP_TRYRDLOCK;
    if (lock->waiting || (read ? !rdlock_ready(t, lock) : !wrlock_ready(t, lock)))
        t->result = EBUSY;
    else if (read)
        do_rdlock(t, lock), t->result = 0, lock->write_phase = 0;
    else
        do_wrlock(t, lock), lock->write_phase = 1;
    return EFFECT_WRITE;
}

// What could have come in front of the operation that has just been done.
static void after_any(struct thread *t, bool reader_could, bool writer_could)
{
    uint32_t object = t->request.object;
    if (writer_could)
        exec_hold(&engine.exec, object, engine.exec.count - 1);
    if (reader_could)
        exec_share(&engine.exec, object, engine.exec.count - 1);
    exec_release(&engine.exec, t->actor, object);
}

void after_rwtry(struct thread *t, enum effect effect)
{
    const struct place *lock = &engine.places[t->request.object];
    bool got = !t->result, read = t->request.kind == OP_TRYRDLOCK;
    bool was_free = got && (!read || lock->depth == 1);
    if (effect == EFFECT_WRITE)
        after_any(t, was_free || lock->depth, was_free);
}

static void stop_writing(struct thread *t, struct place *lock)
{
    lock->owner = 0;
    lock->shared = (struct release){0};
    know_release(&engine.races, &t->know, &lock->release);
    journal_note(JOURNAL_UNLOCK, t, lock->address);
}

static void stop_reading(struct thread *t, struct place *lock)
{
    lock->depth--;
    if (!reads_on(t, t->request.object))
        lock->waiters[t->actor / 64] &= ~(1ull << (t->actor % 64));
    know_release_more(&engine.races, &t->know, &lock->shared);
    journal_note(JOURNAL_UNSHARE, t, lock->address);
}

enum effect do_rwunlock(struct thread *t, struct place *lock)
{
    keep_place(lock);
    t->result = lock->owner == 0; // it read
    if (lock->owner)
        stop_writing(t, lock);
    else
        stop_reading(t, lock);
    rwqueue_let_go(lock);
    return EFFECT_WRITE;
}

void after_rwunlock(struct thread *t, enum effect effect)
{
    if (effect == EFFECT_WRITE) {
        after_any(t, t->result, false);
        after_queued(t, effect);
    } else if (t->result) {
        exec_release_shared(&engine.exec, t->actor, t->request.object);
        times_release_shared(t, t->request.object);
    } else {
        exec_release(&engine.exec, t->actor, t->request.object);
        times_release(t, t->request.object);
    }
}

static uint32_t rwlock_place(struct thread *t, const pthread_rwlock_t *l, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    if (place_is_destroyed(&engine.places[number]))
        misuse(t, BUG_LOCK_MISUSE, engine.places[number].address, pc, "locks a readers-writer lock that was destroyed");
    check_processes(t, number, l->__data.__shared, "uses a readers-writer lock", "pthread_rwlockattr_setpshared", pc);
    return number;
}

// A writer waits for all readers to let go, so putting it in front of one may drag others along; optimal search knows
// only how to put it in front of the one that found the lock free. dpor tries everybody there.
static void see_sharing(struct thread *t)
{
    if (engine.learnt.shares || engine.alone)
        return;
    engine.learnt.shares = true;
    if (engine.joins_late || engine.by_sources)
        search_again(t);
}

static int lock_for(struct thread *t, pthread_rwlock_t *l, enum op_kind kind, const void *pc)
{
    uint32_t number = rwlock_place(t, l, pc);
    struct place *lock = &engine.places[number];
    if (lock->owner == t->actor + 1)
        return EDEADLK;
    if (rwlock_prefers_writers(l))
        return kind == OP_RDLOCK ? rwqueue_read(t, number, pc) : rwqueue_write(t, number, false, pc);
    if (kind == OP_RDLOCK) {
        see_sharing(t);
        kind = engine.unlock_visible ? OP_RDLOCK_SEEN : OP_RDLOCK;
    }
    ask(t, kind, lock->address, number, pc);
    visible(t);
    return 0;
}

PUBLIC int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? lock_for(t, l, OP_RDLOCK, HERE) : early_took(NATIVE(pthread_rwlock_rdlock)(l), l, HERE);
}

PUBLIC int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? lock_for(t, l, OP_WRLOCK, HERE) : early_took(NATIVE(pthread_rwlock_wrlock)(l), l, HERE);
}

static int try_for(struct thread *t, pthread_rwlock_t *l, enum op_kind kind, const void *pc)
{
    uint32_t number = rwlock_place(t, l, pc);
    see_letting_go(t);
    spin_tried(t, number);
    if (kind == OP_TRYRDLOCK && !rwlock_prefers_writers(l))
        see_sharing(t);
    ask(t, kind, engine.places[number].address, number, pc);
    return (int)visible(t);
}

PUBLIC int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? try_for(t, l, OP_TRYRDLOCK, HERE) : early_took(NATIVE(pthread_rwlock_tryrdlock)(l), l, HERE);
}

PUBLIC int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    return t ? try_for(t, l, OP_TRYWRLOCK, HERE) : early_took(NATIVE(pthread_rwlock_trywrlock)(l), l, HERE);
}

static int timed_for(struct thread *t, pthread_rwlock_t *l, enum op_kind kind, clockid_t clock,
                     const struct timespec *until, const void *pc)
{
    uint32_t number = rwlock_place(t, l, pc);
    access_read(until, sizeof *until, pc);
    if (!is_clock(clock) || until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return EINVAL;
    if (engine.places[number].owner == t->actor + 1)
        return EDEADLK;
    if (kind == OP_TRYWRLOCK && rwlock_prefers_writers(l))
        return rwqueue_write(t, number, true, pc) ? timed_out(t, clock, until, pc) : 0;
    return try_for(t, l, kind, pc) ? timed_out(t, clock, until, pc) : 0;
}

PUBLIC int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_for(t, l, OP_TRYRDLOCK, CLOCK_REALTIME, until, HERE)
             : early_took(NATIVE(pthread_rwlock_timedrdlock)(l, until), l, HERE);
}

PUBLIC int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_for(t, l, OP_TRYWRLOCK, CLOCK_REALTIME, until, HERE)
             : early_took(NATIVE(pthread_rwlock_timedwrlock)(l, until), l, HERE);
}

PUBLIC int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_for(t, l, OP_TRYRDLOCK, clock, until, HERE)
             : early_took(NATIVE(pthread_rwlock_clockrdlock)(l, clock, until), l, HERE);
}

PUBLIC int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_for(t, l, OP_TRYWRLOCK, clock, until, HERE)
             : early_took(NATIVE(pthread_rwlock_clockwrlock)(l, clock, until), l, HERE);
}

PUBLIC int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return early_let_go(NATIVE(pthread_rwlock_unlock)(l), l);
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    struct place *lock = &engine.places[number];
    if (lock->owner != t->actor + 1 && !rwlocks_reads(lock, t)) {
        misuse(t, BUG_LOCK_MISUSE, lock->address, HERE, "unlocks a readers-writer lock that it does not hold");
        return 0;
    }
    ask(t, OP_RWUNLOCK, lock->address, number, HERE);
    if (engine.unlock_visible || rwlock_prefers_writers(l)) {
        visible(t);
        return 0;
    }
    if (engine.record)
        record_silent(t, SILENT_UNLOCK, lock->address, 0, 0, HERE);
    perform(t, 0);
    after_rwunlock(t, EFFECT_NONE);
    return 0;
}

PUBLIC int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attributes)
{
    if (!engine.running)
        return NATIVE(pthread_rwlock_init)(l, attributes);
    if (attributes)
        access_read(attributes, sizeof *attributes, HERE);
    access_write(l, sizeof *l, HERE);
    NATIVE(pthread_rwlock_init)(l, attributes);
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
        misuse(t, BUG_LOCK_MISUSE, lock->address, HERE, "destroys a readers-writer lock that is held");
    access_write(l, sizeof *l, HERE);
    place_destroy(lock);
    return 0;
}

ALSO(__pthread_rwlock_init, pthread_rwlock_init);
ALSO(__pthread_rwlock_destroy, pthread_rwlock_destroy);
ALSO(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
ALSO(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
ALSO(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
ALSO(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
ALSO(__pthread_rwlock_unlock, pthread_rwlock_unlock);
