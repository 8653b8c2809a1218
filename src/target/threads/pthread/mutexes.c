// Mutexes and spin locks.
//
// Each call checks its use, then asks for a visible operation. Letting a mutex go needs no scheduling point of its own while
// nobody uses trylock.
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/fail.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

enum { FILL_WORD = 0xbebebebe };

static RARE void misuse_mutex(struct thread *t, const pthread_mutex_t *m, const char *how, const char *what,
                              const void *pc)
{
    misuse(t, BUG_LOCK_MISUSE, (uint64_t)(uintptr_t)m, pc, "%s a mutex that %s", how, what);
}

static bool is_uninitialised(const pthread_mutex_t *m)
{
    uint32_t first;
    __builtin_memcpy(&first, m, sizeof first);
    return first == FILL_WORD;
}

// In the mutex's own kind, as the C library puts it there: with a protocol of priorities, for several processes.
enum { PROTOCOL_KINDS = 32 | 64, SHARED_KIND = 128 };

// The mutex as an object, after checking that it may be used. 0 if it was destroyed, and that is tolerated. One that nobody
// initialised is taken for one of the usual kind then.
static IN_PLACE uint32_t mutex_check(struct thread *t, const pthread_mutex_t *m, uint32_t number, const char *how,
                                     const void *pc)
{
    struct place *place = &engine.places[number];
    if (unlikely(place_is_destroyed(place))) {
        misuse_mutex(t, m, how, "was destroyed", pc);
        return 0;
    }
    if (unlikely(is_uninitialised(m)) && !(place->state & PLACE_INITIALISED))
        misuse_mutex(t, m, how, "nobody initialised", pc);
    if (unlikely(engine.forked) && !(m->__data.__kind & SHARED_KIND) && forked_is_another_user(t, number))
        misuse_mutex(t, m, how, "another process uses too, and that is not for several (pthread_mutexattr_setpshared)",
                     pc);
    return number;
}

static IN_PLACE uint32_t mutex_place(struct thread *t, const pthread_mutex_t *m, const char *how, const void *pc)
{
    return mutex_check(t, m, place_at((uint64_t)(uintptr_t)m), how, pc);
}

uint32_t mutex_object(struct thread *t, const pthread_mutex_t *m, const char *how, const void *pc)
{
    return mutex_place(t, m, how, pc);
}

int mutex_type(const pthread_mutex_t *m)
{
    return m->__data.__kind == (int)FILL_WORD ? PTHREAD_MUTEX_NORMAL : m->__data.__kind & 3;
}

void check_processes(struct thread *t, uint32_t number, bool for_several, const char *how, const char *by,
                     const void *pc)
{
    if (unlikely(engine.forked) && !for_several && forked_is_another_user(t, number))
        misuse(t, BUG_LOCK_MISUSE, engine.places[number].address, pc,
               "%s that another process uses too, and that is not for several (%s)", how, by);
}

// The C library has put into the mutex what kind it is; nobody holds it.
void mutex_begin(const pthread_mutex_t *m)
{
    struct place *place = &engine.places[place_at((uint64_t)(uintptr_t)m)];
    keep_place(place);
    place->owner = place->depth = 0;
    place->state = PLACE_INITIALISED;
    place->release = (struct release){0};
}

PUBLIC int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attributes)
{
    if (!engine.running)
        return NATIVE(pthread_mutex_init)(m, attributes);
    if (attributes)
        access_read(attributes, sizeof *attributes, HERE);
    access_write(m, sizeof *m, HERE);
    int wrong = NATIVE(pthread_mutex_init)(m, attributes);
    if (!wrong)
        mutex_begin(m);
    return wrong;
}

int mutex_destroy(struct thread *t, pthread_mutex_t *m, const void *pc)
{
    uint32_t number = mutex_place(t, m, "destroys", pc);
    struct place *place = &engine.places[number];
    if (!number)
        return 0;
    if (place->owner) {
        misuse(t, BUG_LOCK_MISUSE, place->address, pc, "destroys a mutex that is locked");
        return EBUSY;
    }
    access_write(m, sizeof *m, pc);
    place_destroy(place);
    return 0;
}

PUBLIC int pthread_mutex_destroy(pthread_mutex_t *m)
{
    struct thread *t = engine.running;
    return t ? mutex_destroy(t, m, HERE) : NATIVE(pthread_mutex_destroy)(m);
}

static RARE int lock_again(const pthread_mutex_t *m, struct place *place, bool wait)
{
    if (mutex_type(m) == PTHREAD_MUTEX_RECURSIVE) {
        keep_place(place);
        place->depth++;
        return 0;
    }
    bool checks = mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK;
    if (!wait) // in glibc, trying checks only where the lock itself says who has it
        return checks && (mutex_is_robust(m) || m->__data.__kind & PROTOCOL_KINDS) ? EDEADLK : EBUSY;
    return checks ? EDEADLK : -1;
}

// A function of its own, so that its frame is made where nothing is left of what the thread called before.
CROSSES_SWITCH __attribute__((noinline)) int mutex_lock(struct thread *t, pthread_mutex_t *m, const void *pc)
{
    uint32_t number = mutex_place(t, m, "locks", pc);
    struct place *place = &engine.places[number];
    if (unlikely(!number))
        return EINVAL;
    if (unlikely(place->owner == t->actor + 1)) {
        int answer = lock_again(m, place, true);
        if (answer >= 0)
            return answer; // otherwise it waits for itself, for ever
    }
    ask(t, OP_LOCK, place->address, number, pc);
    turn_take(t);
    return unlikely(mutex_is_robust(m)) ? robust_taken(t, m, number, pc) : 0;
}

PUBLIC int pthread_mutex_lock(pthread_mutex_t *m)
{
    struct thread *t = engine.running;
    turn_clear_for_call();
    return t ? mutex_lock(t, m, HERE) : (snapshot_hold(m), early_took(NATIVE(pthread_mutex_lock)(m), m, HERE));
}

static int try_lock(struct thread *t, uint32_t number, const void *pc)
{
    see_letting_go(t);
    spin_tried(t, number);
    ask(t, OP_TRYLOCK, engine.places[number].address, number, pc);
    return (int)visible(t);
}

// Whether the thread holds the lock and nobody else can let it go, so that a try tells at once.
static bool holds_for_good(const struct thread *t, const struct place *place)
{
    return place->owner == t->actor + 1 && !engine.exec.any_unlocks;
}

__attribute__((noinline)) int mutex_try(struct thread *t, pthread_mutex_t *m, const void *pc)
{
    uint32_t number = mutex_place(t, m, "tries to lock", pc);
    struct place *place = &engine.places[number];
    if (!number)
        return EINVAL;
    if (holds_for_good(t, place) || (place->owner == t->actor + 1 && mutex_type(m) == PTHREAD_MUTEX_RECURSIVE))
        return lock_again(m, place, false);
    int answer = try_lock(t, number, pc);
    return answer ? answer : robust_taken(t, m, number, pc);
}

PUBLIC int pthread_mutex_trylock(pthread_mutex_t *m)
{
    struct thread *t = engine.running;
    turn_clear_for_call();
    return t ? mutex_try(t, m, HERE) : (snapshot_hold(m), early_took(NATIVE(pthread_mutex_trylock)(m), m, HERE));
}

static IN_PLACE void unlock_silently(struct thread *t, uint32_t number, const void *pc)
{
    mixed_use(t, number, "unlocks a mutex", pc);
    place_let_go(t, &engine.places[number]);
    exec_release(&engine.exec, t->actor, number);
    if (unlikely(engine.learnt.time_read))
        times_release(t, number);
}

static RARE int let_go_seen(struct thread *t, uint32_t number, const void *pc)
{
    if (engine.unlock_visible) {
        ask(t, OP_UNLOCK, engine.places[number].address, number, pc);
        return (int)visible(t);
    }
    record_silent(t, SILENT_UNLOCK, engine.places[number].address, 0, 0, pc);
    unlock_silently(t, number, pc);
    return 0;
}

static IN_PLACE int let_go(struct thread *t, uint32_t number, const void *pc)
{
    if (unlikely(engine.unlock_visible | engine.record))
        return let_go_seen(t, number, pc);
    unlock_silently(t, number, pc);
    return 0;
}

// Lets go of a lock held once.
int mutex_let_go(struct thread *t, uint32_t number, const void *pc)
{
    return let_go(t, number, pc);
}

// A lock that is not the thread's to let go: the C library does not look whose it is, and whoever holds it has it no longer.
// Whose lock it is by then shows only when its turn comes (do_unlock).
static RARE int unlock_by_force(struct thread *t, uint32_t number, const void *pc)
{
    see_letting_go(t);
    ask(t, OP_UNLOCK, engine.places[number].address, number, pc);
    visible(t);
    return 0;
}

// Whether the lock that was the thread's when it came to let it go was still its own in its turn.
static RARE int let_go_late(struct thread *t, uint32_t number, const void *pc)
{
    misuse(t, BUG_LOCK_MISUSE, engine.places[number].address, pc, "unlocks a lock that another thread has unlocked");
    return 0;
}

// Checks that the lock is the thread's to let go.
static int spinlock_unlock(struct thread *t, uint32_t number, const void *pc)
{
    struct place *place = &engine.places[number];
    if (place->owner == t->actor + 1)
        return mutex_let_go(t, number, pc) ? let_go_late(t, number, pc) : 0;
    misuse(t, BUG_LOCK_MISUSE, place->address, pc,
           place->owner ? "unlocks a lock that another thread holds" : "unlocks a lock that is not locked");
    return unlock_by_force(t, number, pc);
}

static RARE int unlock_not_held(struct thread *t, const pthread_mutex_t *m, uint32_t number, const void *pc)
{
    if (!number)
        return EINVAL;
    if (mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK || mutex_type(m) == PTHREAD_MUTEX_RECURSIVE || mutex_is_robust(m))
        return EPERM; // as POSIX promises
    misuse_mutex(t, m, "unlocks", engine.places[number].owner ? "another thread holds" : "is not locked", pc);
    return unlock_by_force(t, number, pc);
}

static RARE int unlock_once(struct place *place)
{
    keep_place(place);
    place->depth--;
    return 0;
}

static IN_PLACE int unlock_mutex(struct thread *t, const pthread_mutex_t *m, const void *pc)
{
    // Mostly it is what the thread asked for last.
    uint32_t number = place_at_again((uint64_t)(uintptr_t)m, t->request.object);
    number = mutex_check(t, m, number, "unlocks", pc);
    struct place *place = &engine.places[number];
    if (unlikely(place->owner != t->actor + 1))
        return unlock_not_held(t, m, number, pc);
    if (unlikely(place->depth > 1))
        return unlock_once(place);
    if (unlikely(mutex_is_robust(m)))
        robust_leaving(number);
    return unlikely(let_go(t, number, pc)) ? let_go_late(t, number, pc) : 0;
}

int mutex_unlock(struct thread *t, pthread_mutex_t *m, const void *pc)
{
    return unlock_mutex(t, m, pc);
}

PUBLIC int pthread_mutex_unlock(pthread_mutex_t *m)
{
    struct thread *t = engine.running;
    return t ? unlock_mutex(t, m, HERE) : (snapshot_hold(m), early_let_go(NATIVE(pthread_mutex_unlock)(m), m));
}

// Spin locks are mutexes that nobody may take twice.
PUBLIC int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    if (!engine.running)
        return NATIVE(pthread_spin_init)(l, shared);
    access_write((void *)(uintptr_t)l, sizeof *l, HERE);
    *l = 1;
    struct place *place = &engine.places[place_at((uint64_t)(uintptr_t)l)];
    keep_place(place);
    place_clear(place);
    place->state |= shared ? PLACE_FOR_SEVERAL : 0;
    return 0;
}

static uint32_t spinlock_place(struct thread *t, const pthread_spinlock_t *l, const char *how, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    uint32_t state = engine.places[number].state; // one that was initialised before main is not asked
    check_processes(t, number, state & PLACE_FOR_SEVERAL || !(state & PLACE_INITIALISED), how, "pthread_spin_init", pc);
    return number;
}

PUBLIC int pthread_spin_lock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return early_took(NATIVE(pthread_spin_lock)(l), (const void *)l, HERE);
    uint32_t number = spinlock_place(t, l, "locks a spin lock", HERE);
    ask(t, OP_LOCK, engine.places[number].address, number, HERE);
    return (int)visible(t);
}

PUBLIC int pthread_spin_trylock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return early_took(NATIVE(pthread_spin_trylock)(l), (const void *)l, HERE);
    uint32_t number = spinlock_place(t, l, "tries to lock a spin lock", HERE);
    if (holds_for_good(t, &engine.places[number]))
        return EBUSY;
    return try_lock(t, number, HERE);
}

PUBLIC int pthread_spin_unlock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    return t ? spinlock_unlock(t, place_at((uint64_t)(uintptr_t)l), HERE)
             : early_let_go(NATIVE(pthread_spin_unlock)(l), (const void *)l);
}

PUBLIC int pthread_spin_destroy(pthread_spinlock_t *l)
{
    if (!engine.running)
        return NATIVE(pthread_spin_destroy)(l);
    access_write((void *)(uintptr_t)l, sizeof *l, HERE);
    return 0;
}

ALSO(__pthread_mutex_init, pthread_mutex_init);
ALSO(__pthread_mutex_destroy, pthread_mutex_destroy);
ALSO(__pthread_mutex_lock, pthread_mutex_lock);
ALSO(__pthread_mutex_trylock, pthread_mutex_trylock);
ALSO(__pthread_mutex_unlock, pthread_mutex_unlock);
