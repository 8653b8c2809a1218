// Semaphores. `depth` is the count; the program's own memory holds only what sem_init wrote there, so that a semaphore
// initialised before heddle was in control is understood.
//
// All operations on one semaphore depend on each other. A wait could have come in front of the newest operation before
// which the count was not zero: that is its rival, as the last lock is a mutex's.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

bool sem_ready(struct thread *t, struct place *sem)
{
    (void)t;
    return sem->depth > 0;
}

enum effect do_sem_wait(struct thread *t, struct place *sem)
{
    keep_place(sem);
    sem->depth--;
    know_acquire(&engine.races, &t->know, &sem->release);
    t->result = 0;
    return EFFECT_WRITE;
}

enum effect do_sem_trywait(struct thread *t, struct place *sem)
{
    if (sem->depth)
        return do_sem_wait(t, sem);
    t->result = EAGAIN;
    return EFFECT_READ;
}

enum effect do_sem_post(struct thread *t, struct place *sem)
{
    if (sem->depth == SEM_VALUE_MAX) {
        spin_tried(NULL, t->request.object);
        t->result = EOVERFLOW;
        return EFFECT_WRITE;
    }
    keep_place(sem);
    sem->depth++;
    know_release_more(&engine.races, &t->know, &sem->release);
    t->result = 0;
    return EFFECT_WRITE;
}

// Reading the count is in one order with everything else, or a wait that follows would not know of it.
enum effect do_sem_value(struct thread *t, struct place *sem)
{
    t->result = sem->depth;
    return EFFECT_WRITE;
}

void after_sem(struct thread *t, enum effect effect)
{
    uint32_t object = t->request.object;
    if (effect != EFFECT_WRITE)
        return;
    uint32_t count = engine.places[object].depth, kind = t->request.kind;
    bool was_zero = (kind == OP_SEM_POST && count == 1) || (kind == OP_SEM_VALUE && count == 0);
    if (!was_zero) // a wait could have come in front of this
        exec_hold(&engine.exec, object, engine.exec.count - 1);
    exec_release(&engine.exec, t->actor, object);
}

static bool early_is_for_several(const sem_t *s)
{
    return !((const uint32_t *)s)[2]; // as the C library puts it there
}

static uint32_t sem_place(struct thread *t, sem_t *s, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)s);
    struct place *sem = &engine.places[number];
    if (place_is_destroyed(sem))
        misuse(t, BUG_LOCK_MISUSE, sem->address, pc, "uses a semaphore that was destroyed");
    if (!(sem->state & PLACE_INITIALISED)) { // by sem_init before main: glibc keeps the count in the first word
        keep_place(sem);
        sem->state = PLACE_INITIALISED | (early_is_for_several(s) ? PLACE_FOR_SEVERAL : 0);
        sem->depth = *(const uint32_t *)s;
    }
    check_processes(t, number, sem->state & PLACE_FOR_SEVERAL, "uses a semaphore", "the second argument of sem_init",
                    pc);
    return number;
}

static int semaphores_operate(struct thread *t, sem_t *s, enum op_kind kind, const void *pc)
{
    uint32_t number = sem_place(t, s, pc);
    if (kind == OP_SEM_TRYWAIT || kind == OP_SEM_VALUE)
        spin_tried(t, number);
    ask(t, kind, engine.places[number].address, number, pc);
    return (int)visible(t);
}

PUBLIC int sem_wait(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_wait)(s);
    cancel_point(t, HERE);
    semaphores_operate(t, s, OP_SEM_WAIT, HERE);
    return 0;
}

static int semaphores_answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

PUBLIC int sem_trywait(sem_t *s)
{
    struct thread *t = engine.running;
    return t ? semaphores_answer(semaphores_operate(t, s, OP_SEM_TRYWAIT, HERE)) : NATIVE(sem_trywait)(s);
}

static int timed_wait(struct thread *t, sem_t *s, clockid_t clock, const struct timespec *until, const void *pc)
{
    access_read(until, sizeof *until, pc);
    if (!is_clock(clock) || until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return semaphores_answer(EINVAL);
    cancel_point(t, pc);
    return semaphores_answer(semaphores_operate(t, s, OP_SEM_TRYWAIT, pc) ? timed_out(t, clock, until, pc) : 0);
}

PUBLIC int sem_timedwait(sem_t *s, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_wait(t, s, CLOCK_REALTIME, until, HERE) : NATIVE(sem_timedwait)(s, until);
}

PUBLIC int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? timed_wait(t, s, clock, until, HERE) : NATIVE(sem_clockwait)(s, clock, until);
}

PUBLIC int sem_getvalue(sem_t *s, int *value)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_getvalue)(s, value);
    int count = semaphores_operate(t, s, OP_SEM_VALUE, HERE);
    access_write(value, sizeof *value, HERE);
    *value = count;
    return 0;
}

PUBLIC int sem_post(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_post)(s);
    return semaphores_answer(semaphores_operate(t, s, OP_SEM_POST, HERE));
}

void semaphore_begin(sem_t *s, unsigned value, bool for_several)
{
    struct place *sem = &engine.places[place_at((uint64_t)(uintptr_t)s)];
    keep_place(sem);
    place_clear(sem);
    sem->depth = value;
    sem->state |= for_several ? PLACE_FOR_SEVERAL : 0;
}

void semaphore_end(sem_t *s)
{
    struct place *sem = &engine.places[place_at((uint64_t)(uintptr_t)s)];
    undo_save_word(&engine.undo, place_mark(sem)); // a named one is in heddle's own memory
    place_destroy(sem);
}

PUBLIC int sem_init(sem_t *s, int shared, unsigned value)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_init)(s, shared, value);
    if (value > SEM_VALUE_MAX) {
        errno = EINVAL;
        return -1;
    }
    access_write(s, sizeof *s, HERE);
    *(uint32_t *)s = value;
    semaphore_begin(s, value, shared);
    return 0;
}

PUBLIC int sem_destroy(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_destroy)(s);
    sem_place(t, s, HERE);
    access_write(s, sizeof *s, HERE);
    semaphore_end(s);
    return 0;
}
