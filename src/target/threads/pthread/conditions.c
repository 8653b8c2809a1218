// Condition variables. A wait lets go of one level of a recursive mutex, as in glibc: held twice it stays held, and
// taking it again afterwards concerns nobody (`do_lock_again`).
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "base/fail.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

int cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes, const void *pc)
{
    if (attributes)
        access_read(attributes, sizeof *attributes, pc);
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
    if (place_is_destroyed(&engine.places[number]))
        misuse(t, BUG_LOCK_MISUSE, engine.places[number].address, pc, "%s a condition variable that was destroyed",
               what);
    check_processes(t, number, c->__data.__wrefs & 1, "uses a condition variable", "pthread_condattr_setpshared", pc);
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
    place_destroy(place);
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
        times_learn(t, t->woken_now);
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
    if (t->spurious == engine.rules.spurious)
        return false;
    if (!search_chooses(t, CHOICE_SPURIOUS, 2, pc))
        return false;
    t->spurious++;
    return true;
}

// A thread that waits with a mutex it does not hold gets an error; or it gets 0 and lets the mutex go, whoever has it.
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

__attribute__((noinline)) int cond_wait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, const void *pc)
{
    uint32_t cond = cond_place(t, c, "waits on", pc);
    uint32_t mutex = mutex_object(t, m, "waits with", pc);
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
    turn_clear_for_call();
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
    uint32_t mutex = mutex_object(t, m, "waits with", pc);
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

__attribute__((noinline)) int cond_wake(struct thread *t, enum op_kind kind, const pthread_cond_t *c, const void *pc)
{
    uint32_t cond = cond_place(t, c, "signals", pc);
    ask(t, kind, engine.places[cond].address, cond, pc);
    visible(t);
    return 0;
}

PUBLIC int pthread_cond_signal(pthread_cond_t *c)
{
    struct thread *t = engine.running;
    turn_clear_for_call();
    return t ? cond_wake(t, OP_SIGNAL, c, HERE) : NATIVE(pthread_cond_signal)(c);
}

PUBLIC int pthread_cond_broadcast(pthread_cond_t *c)
{
    struct thread *t = engine.running;
    turn_clear_for_call();
    return t ? cond_wake(t, OP_BROADCAST, c, HERE) : NATIVE(pthread_cond_broadcast)(c);
}
