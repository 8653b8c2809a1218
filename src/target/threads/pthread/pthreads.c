// The pthread surface: creating and joining threads, mutexes, condition variables.
//
// Each call checks its use, then asks for a visible operation; calls that need no scheduling point of their own (creating,
// joining a thread that has ended, letting a mutex go while nobody uses trylock) are done at once.
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/fail.h"
#include "target/threads/memory/access.h"
#include "target/threads/memory/arena.h"
#include "target/threads/library/early.h"
#include "target/threads/engine/engine.h"
#include "target/threads/libc/native.h"
#include "target/threads/engine/operations.h"
#include "target/threads/libc/public.h"
#include "target/threads/engine/snapshot.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/turn.h"

pthread_t handle_of(uint32_t actor)
{
    return (pthread_t)(uintptr_t)arena_stack_top(actor);
}

static IN_PLACE struct thread *find_thread(pthread_t handle)
{
    uint64_t actor = ((uint64_t)handle - STACKS_START) / STACK_ROOM - 1;
    if (unlikely((uint64_t)handle % STACK_ROOM || actor >= engine.exec.known))
        return NULL;
    return engine.exec.actors[actor].state != ACTOR_ABSENT ? &engine.threads[actor] : NULL;
}

struct thread *thread_of(pthread_t handle)
{
    return find_thread(handle);
}

// A stack as large as the attributes ask for.
static struct arena_stack stack_for(uint32_t actor, const pthread_attr_t *attributes)
{
    size_t size = arena_usual_stack();
    if (attributes)
        pthread_attr_getstacksize(attributes, &size);
    return arena_stack(actor, size);
}

// A thread that has created many goes on to use the places of those that it has joined: what they did comes before all that a
// new one does, as if it were the same thread. Which place that is follows from what the thread itself has done.
static uint32_t place_of_joined(const struct thread *t)
{
    enum { MANY = 32 };
    const struct actor *actors = engine.exec.actors;
    if (likely(actors[t->actor].children < MANY))
        return MAX_ACTORS;
    for (uint32_t i = 1; i <= MAX_ACTORS; i++) {
        uint32_t actor = (t->replaced + i) % MAX_ACTORS;
        const struct thread *other = &engine.threads[actor];
        if (actor && actor < engine.exec.known && actors[actor].parent == t->actor && actors[actor].state == ACTOR_ENDED &&
            other->ended && is_joined(other) && other->joiner == t->actor)
            return actor;
    }
    return MAX_ACTORS;
}

// A number for the thread's new child.
static uint32_t number_child(struct thread *t)
{
    uint32_t actor = place_of_joined(t);
    if (likely(actor == MAX_ACTORS))
        return exec_create(&engine.exec, t->actor);
    exec_create_again(&engine.exec, t->actor, actor);
    keep_joining();
    engine.joined[actor / 64] &= ~(1ull << (actor % 64));
    t->replaced = actor;
    return actor;
}

// The thread that would create one too many stops, and whoever waits for it is not to blame: what can be done with as many
// as are followed is searched.
static _Noreturn RARE void stop_for_too_many(struct thread *t)
{
    engine.too_many = engine.assumed = true;
    t->assumed = 1;
    engine.running = t;
    thread_stop(t, ACTOR_STOPPED);
}

int thread_create(struct thread *t, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *argument, const void *pc)
{
    access_write(handle, sizeof *handle, pc);
    engine.running = NULL; // heddle's own doing
    uint32_t actor = number_child(t);
    if (actor == MAX_ACTORS)
        stop_for_too_many(t);
    struct arena_stack stack = stack_for(actor, attributes);
    if (!stack.top)
        unsupported(t, "the program creates a thread with a stack of more than 4 GiB, or where there is no room for it");
    int state = PTHREAD_CREATE_JOINABLE;
    if (attributes)
        pthread_attr_getdetachstate(attributes, &state);
    *handle = handle_of(actor);
    struct thread *child = &engine.threads[actor];
    thread_begin(child, actor, stack, start, argument, t);
    child->detached = state == PTHREAD_CREATE_DETACHED;
    engine.running = t;
    keep_joining();
    engine.strangers++;
    update_alone();
    if (engine.record)
        record_silent(t, SILENT_CREATE, handle_of(actor), actor, 0, pc);
    thread_resume(child, &t->sp); // up to its first visible operation
    return 0;
}

PUBLIC int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    struct thread *t = engine.running;
    if (t)
        return thread_create(t, handle, attributes, start, argument, HERE);
    early_refuse("creates a thread", HERE);
    return NATIVE(pthread_create)(handle, attributes, start, argument);
}

bool join_ready(struct thread *t, struct place *none)
{
    (void)none;
    return engine.threads[t->request.mutex].ended;
}

enum effect do_join(struct thread *t, struct place *none)
{
    (void)none;
    know_join(&engine.races, &t->know, &engine.threads[t->request.mutex].know);
    exec_learn(&engine.exec, t->actor, engine.exec.actors[t->request.mutex].clock);
    return EFFECT_NONE;
}

// What comes of joining a thread that is detached or joined already is undefined; the C library answers with an error.
static RARE int wrong_join(struct thread *t, const struct thread *other, const void *pc)
{
    if (!other)
        return ESRCH;
    if (other == t)
        return EDEADLK;
    bool second = other->joiner == t->actor;
    if (other->detached)
        misuse(t, BUG_THREAD_MISUSE, 0, pc, "joins a thread that is detached");
    else
        misuse(t, BUG_THREAD_MISUSE, 0, pc,
               second ? "joins a thread for the second time" : "joins a thread that another thread joins");
    return second && !other->detached ? ESRCH : EINVAL;
}

static IN_PLACE int not_to_be_joined(struct thread *t, const struct thread *other, const void *pc)
{
    return unlikely(!other || other == t || other->detached || is_joined(other)) ? wrong_join(t, other, pc) : 0;
}

static IN_PLACE void begin_join(const struct thread *t, struct thread *other)
{
    keep_joining();
    engine.joined[other->actor / 64] |= 1ull << (other->actor % 64);
    other->joiner = t->actor;
}

static IN_PLACE void finish_join(struct thread *t, struct thread *other, void **value, const void *pc)
{
    keep_joining();
    engine.strangers--;
    update_alone();
    if (unlikely(engine.record))
        record_silent(t, SILENT_JOINED, 0, other->actor, 0, pc);
    if (value) {
        access_write(value, sizeof *value, pc);
        *value = other->value;
    }
}

static RARE void await_end(struct thread *t, const struct thread *other, const void *pc)
{
    if (!engine.turns) {
        thread_await_end(t, other, pc);
        return;
    }
    ask(t, OP_JOIN, 0, 0, pc)->mutex = other->actor;
    visible(t);
}

// A program's last threads are joined in each execution, in a row.
static IN_PLACE int join(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    struct thread *other = find_thread(handle);
    int wrong = not_to_be_joined(t, other, pc);
    if (wrong)
        return wrong;
    cancel_point(t, pc);
    begin_join(t, other);
    if (unlikely(!other->ended))
        await_end(t, other, pc);
    know_join(&engine.races, &t->know, &other->know);
    exec_join(&engine.exec, t->actor, other->actor);
    finish_join(t, other, value, pc);
    return 0;
}

int thread_join(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    return join(t, handle, value, pc);
}

PUBLIC int pthread_join(pthread_t handle, void **value)
{
    struct thread *t = engine.running;
    return t ? join(t, handle, value, HERE) : NATIVE(pthread_join)(handle, value);
}

// Unlike a join it could have come before the other's end, which is an event for this reason: it knows it from that.
enum effect do_tryjoin(struct thread *t, struct place *none)
{
    bool ended = join_ready(t, none);
    t->result = ended ? 0 : EBUSY;
    if (ended)
        know_join(&engine.races, &t->know, &engine.threads[t->request.mutex].know);
    return EFFECT_READ;
}

int thread_tryjoin(struct thread *t, pthread_t handle, void **value, const void *pc)
{
    struct thread *other = thread_of(handle);
    int wrong = not_to_be_joined(t, other, pc);
    if (wrong)
        return wrong;
    see_letting_go(t);
    ask(t, OP_TRYJOIN, (uint64_t)handle, place_at((uint64_t)handle), pc)->mutex = other->actor;
    if (visible(t))
        return EBUSY;
    begin_join(t, other);
    finish_join(t, other, value, pc);
    return 0;
}

int thread_detach(pthread_t handle, const void *pc)
{
    struct thread *other = thread_of(handle), *t = engine.running;
    if (!other)
        return ESRCH;
    if (is_joined(other) && other->joiner == t->actor && !other->detached) {
        misuse(t, BUG_THREAD_MISUSE, 0, pc, "detaches a thread that it has joined");
        return ESRCH;
    }
    if (other->detached || is_joined(other))
        return EINVAL;
    undo_save_word(&engine.undo, &other->detached);
    other->detached = 1;
    return 0;
}

PUBLIC int pthread_detach(pthread_t handle)
{
    return engine.running ? thread_detach(handle, HERE) : NATIVE(pthread_detach)(handle);
}

PUBLIC pthread_t pthread_self(void)
{
    return engine.running ? handle_of(engine.running->actor) : NATIVE(pthread_self)();
}

PUBLIC int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

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

// The mutex as an object, after checking that it may be used. 0 if it was destroyed, and that is tolerated. One that nobody
// initialised is taken for one of the usual kind then.
static IN_PLACE uint32_t mutex_place(struct thread *t, const pthread_mutex_t *m, const char *how, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)m);
    const struct place *place = &engine.places[number];
    if (unlikely(place->state & PLACE_DESTROYED)) {
        misuse_mutex(t, m, how, "was destroyed", pc);
        return 0;
    }
    if (unlikely(is_uninitialised(m)) && !(place->state & PLACE_INITIALISED))
        misuse_mutex(t, m, how, "nobody initialised", pc);
    return number;
}

static int mutex_type(const pthread_mutex_t *m)
{
    return m->__data.__kind == (int)FILL_WORD ? PTHREAD_MUTEX_NORMAL : m->__data.__kind & 3;
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
    keep_place(place);
    place->state = PLACE_DESTROYED;
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
    if (!wait)
        return EBUSY;
    return mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : -1;
}

CROSSES_SWITCH int mutex_lock(struct thread *t, pthread_mutex_t *m, const void *pc)
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

int mutex_try(struct thread *t, pthread_mutex_t *m, const void *pc)
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
    return t ? mutex_try(t, m, HERE) : (snapshot_hold(m), early_took(NATIVE(pthread_mutex_trylock)(m), m, HERE));
}

static IN_PLACE void unlock_silently(struct thread *t, uint32_t number, const void *pc)
{
    mixed_use(t, number, "unlocks a mutex", pc);
    place_let_go(t, &engine.places[number]);
    exec_release(&engine.exec, t->actor, number);
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
// What it was by then shows when its turn comes (do_unlock).
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
static int unlock(struct thread *t, uint32_t number, const void *pc)
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
    if (mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK || mutex_type(m) == PTHREAD_MUTEX_RECURSIVE)
        return EPERM;
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
    uint32_t number = mutex_place(t, m, "unlocks", pc);
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
    return 0;
}

PUBLIC int pthread_spin_lock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return early_took(NATIVE(pthread_spin_lock)(l), (const void *)l, HERE);
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    ask(t, OP_LOCK, engine.places[number].address, number, HERE);
    return (int)visible(t);
}

PUBLIC int pthread_spin_trylock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    if (!t)
        return early_took(NATIVE(pthread_spin_trylock)(l), (const void *)l, HERE);
    uint32_t number = place_at((uint64_t)(uintptr_t)l);
    if (holds_for_good(t, &engine.places[number]))
        return EBUSY;
    return try_lock(t, number, HERE);
}

PUBLIC int pthread_spin_unlock(pthread_spinlock_t *l)
{
    struct thread *t = engine.running;
    return t ? unlock(t, place_at((uint64_t)(uintptr_t)l), HERE)
             : early_let_go(NATIVE(pthread_spin_unlock)(l), (const void *)l);
}

PUBLIC int pthread_spin_destroy(pthread_spinlock_t *l)
{
    if (!engine.running)
        return NATIVE(pthread_spin_destroy)(l);
    access_write((void *)(uintptr_t)l, sizeof *l, HERE);
    return 0;
}

int cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes, const void *pc)
{
    access_write(c, sizeof *c, pc);
    NATIVE(pthread_cond_init)(c, attributes);
    struct place *place = &engine.places[place_at((uint64_t)(uintptr_t)c)];
    keep_place(place);
    place->state = PLACE_INITIALISED;
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        place->waiters[i] = 0;
    return 0;
}

PUBLIC int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes)
{
    return engine.running ? cond_init(c, attributes, HERE) : NATIVE(pthread_cond_init)(c, attributes);
}

static uint32_t cond_place(struct thread *t, const pthread_cond_t *c, const char *what, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)c);
    if (engine.places[number].state & PLACE_DESTROYED)
        misuse(t, BUG_LOCK_MISUSE, engine.places[number].address, pc, "%s a condition variable that was destroyed",
               what);
    return number;
}

static bool is_waited_for(const struct place *place)
{
    for (int i = 0; i < MAX_ACTORS / 64; i++)
        if (place->waiters[i])
            return true;
    return false;
}

void await_nobody(struct thread *t, struct place *place, const void *pc)
{
    ask(t, OP_LOOK, place->address, (uint32_t)(place - engine.places), pc);
    visible(t);
    if (is_waited_for(place))
        fail_assumption(t, pc);
}

int cond_destroy(struct thread *t, pthread_cond_t *c, const void *pc)
{
    struct place *place = &engine.places[cond_place(t, c, "destroys", pc)];
    if (is_waited_for(place)) {
        misuse(t, BUG_LOCK_MISUSE, place->address, pc, "destroys a condition variable that a thread waits on");
        await_nobody(t, place, pc);
    }
    access_write(c, sizeof *c, pc);
    keep_place(place);
    place->state = PLACE_DESTROYED;
    return 0;
}

PUBLIC int pthread_cond_destroy(pthread_cond_t *c)
{
    struct thread *t = engine.running;
    return t ? cond_destroy(t, c, HERE) : NATIVE(pthread_cond_destroy)(c);
}

// Waiting where a trylock could see the mutex being let go: beginning to wait, letting go, sleeping and taking it again
// are separate; a signal may come before the thread sleeps.
static void wait_in_steps(struct thread *t, uint32_t cond, uint32_t mutex, const void *pc)
{
    ask(t, OP_WAIT, engine.places[cond].address, cond, pc)->mutex = mutex;
    visible(t);
    if (t->wait_depth == 1) { // else it keeps the mutex
        ask(t, OP_UNLOCK, engine.places[mutex].address, mutex, pc);
        visible(t);
    }
    if (t->woken) {
        t->woken = 0;
        exec_learn(&engine.exec, t->actor, t->woken_clock);
        ask(t, OP_LOCK, engine.places[mutex].address, mutex, pc);
        visible(t);
    } else {
        ask(t, OP_WAIT, engine.places[cond].address, cond, pc)->mutex = mutex;
        exec_leave(&engine.exec, t->actor, ACTOR_WAITING);
        thread_park(t); // whoever wakes it makes its request one for the mutex
    }
}

// As if it had been woken at once. It is not among the waiters, so no signal is spent on it.
static bool wakes_spuriously(struct thread *t, const void *pc)
{
    if (t->spurious == engine.spurious)
        return false;
    if (!search_chooses(t, CHOICE_SPURIOUS, 2, pc))
        return false;
    t->spurious++;
    return true;
}

// What comes of waiting with a mutex that the thread does not hold: an error, or 0, and the mutex is let go, whoever has it.
static RARE int wait_with_other(struct thread *t, const pthread_mutex_t *m, uint32_t mutex, const void *pc)
{
    if (!mutex)
        return EINVAL;
    if (mutex_type(m) == PTHREAD_MUTEX_ERRORCHECK || mutex_is_robust(m)) // POSIX says so
        return EPERM;
    misuse(t, BUG_LOCK_MISUSE, engine.places[mutex].address, pc,
           "waits on a condition variable with a mutex it does not hold");
    if (mutex_type(m) == PTHREAD_MUTEX_RECURSIVE)
        return EPERM;
    see_letting_go(t);
    return 0;
}

static int not_to_wait_with(struct thread *t, const pthread_mutex_t *m, uint32_t mutex, const void *pc)
{
    return engine.places[mutex].owner != t->actor + 1 ? wait_with_other(t, m, mutex, pc) : 0;
}

int cond_wait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, const void *pc)
{
    uint32_t cond = cond_place(t, c, "waits on", pc);
    uint32_t mutex = mutex_place(t, m, "waits with", pc);
    int wrong = not_to_wait_with(t, m, mutex, pc);
    if (wrong)
        return wrong;
    if (!t->timed)
        cancel_wait(t, m, pc);
    if (wakes_spuriously(t, pc)) {
        mutex_unlock(t, m, pc);
        return mutex_lock(t, m, pc);
    }
    if (mutex_is_robust(m) && engine.places[mutex].depth == 1)
        robust_leaving(mutex);
    if (engine.unlock_visible) {
        wait_in_steps(t, cond, mutex, pc);
    } else {
        ask(t, OP_WAIT, engine.places[cond].address, cond, pc)->mutex = mutex;
        visible(t);
    }
    return robust_taken(t, m, mutex, pc);
}

PUBLIC int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    struct thread *t = engine.running;
    return t ? cond_wait(t, c, m, HERE) : NATIVE(pthread_cond_wait)(c, m);
}

// Whether the time runs out is the search's choice. Where it does not, the thread waits for a signal; if none comes, that
// execution is the other choice once more, and no deadlock.
int cond_timedwait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                   const struct timespec *until, const void *pc)
{
    access_read(until, sizeof *until, pc);
    if (!is_clock(clock) || until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return EINVAL;
    uint32_t mutex = mutex_place(t, m, "waits with", pc);
    int wrong = not_to_wait_with(t, m, mutex, pc);
    if (wrong)
        return wrong;
    cancel_wait(t, m, pc);
    if (!search_chooses(t, CHOICE_TIMEOUT, 2, pc)) {
        t->timed = 1;
        int answer = cond_wait(t, c, m, pc);
        t->timed = 0;
        return answer;
    }
    timed_out(t, clock, until, pc);
    mutex_unlock(t, m, pc);
    int answer = mutex_lock(t, m, pc);
    return answer ? answer : ETIMEDOUT;
}

// The clock that the condition variable was made with: glibc keeps it in a bit of the reference count.
static clockid_t clock_of(const pthread_cond_t *c)
{
    return c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

PUBLIC int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? cond_timedwait(t, c, m, clock_of(c), until, HERE) : NATIVE(pthread_cond_timedwait)(c, m, until);
}

PUBLIC int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? cond_timedwait(t, c, m, clock, until, HERE) : NATIVE(pthread_cond_clockwait)(c, m, clock, until);
}

int cond_wake(struct thread *t, enum op_kind kind, const pthread_cond_t *c, const void *pc)
{
    uint32_t cond = cond_place(t, c, "signals", pc);
    ask(t, kind, engine.places[cond].address, cond, pc);
    visible(t);
    return 0;
}

PUBLIC int pthread_cond_signal(pthread_cond_t *c)
{
    struct thread *t = engine.running;
    return t ? cond_wake(t, OP_SIGNAL, c, HERE) : NATIVE(pthread_cond_signal)(c);
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *c)
{
    struct thread *t = engine.running;
    return t ? cond_wake(t, OP_BROADCAST, c, HERE) : NATIVE(pthread_cond_broadcast)(c);
}

ALSO(__pthread_mutex_init, pthread_mutex_init);
ALSO(__pthread_mutex_destroy, pthread_mutex_destroy);
ALSO(__pthread_mutex_lock, pthread_mutex_lock);
ALSO(__pthread_mutex_trylock, pthread_mutex_trylock);
ALSO(__pthread_mutex_unlock, pthread_mutex_unlock);
