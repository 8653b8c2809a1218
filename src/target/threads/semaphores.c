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

#include "target/threads/engine.h"
#include "target/threads/native.h"
#include "target/threads/operations.h"
#include "target/threads/public.h"

#define HERE __builtin_return_address(0)

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
    keep_place(sem);
    t->result = sem->depth++ > 0; // somebody could have gone on before
    know_release_more(&engine.races, &t->know, &sem->release);
    return EFFECT_WRITE;
}

void after_sem(struct thread *t, enum effect effect)
{
    uint32_t object = t->request.object;
    if (effect != EFFECT_WRITE)
        return;
    if (t->request.kind != OP_SEM_POST || t->result)
        exec_hold(&engine.exec, object, engine.exec.count - 1);
    exec_release(&engine.exec, t->actor, object);
}

static uint32_t sem_place(struct thread *t, sem_t *s, const void *pc)
{
    uint32_t number = place_at((uint64_t)(uintptr_t)s);
    struct place *sem = &engine.places[number];
    if (sem->state & PLACE_DESTROYED)
        fail_and_stop(t, BUG_LOCK_MISUSE, sem->address, pc, "uses a semaphore that was destroyed");
    if (!(sem->state & PLACE_INITIALISED)) { // by sem_init before main: glibc keeps the count in the first word
        keep_place(sem);
        sem->state = PLACE_INITIALISED;
        sem->depth = *(const uint32_t *)s;
    }
    return number;
}

static int operate(struct thread *t, sem_t *s, enum op_kind kind, const void *pc)
{
    uint32_t number = sem_place(t, s, pc);
    ask(t, kind, engine.places[number].address, number, pc);
    return (int)visible(t);
}

PUBLIC int sem_wait(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_wait)(s);
    operate(t, s, OP_SEM_WAIT, HERE);
    return 0;
}

PUBLIC int sem_trywait(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_trywait)(s);
    int error = operate(t, s, OP_SEM_TRYWAIT, HERE);
    if (!error)
        return 0;
    errno = error;
    return -1;
}

PUBLIC int sem_post(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_post)(s);
    operate(t, s, OP_SEM_POST, HERE);
    return 0;
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
    struct place *sem = &engine.places[place_at((uint64_t)(uintptr_t)s)];
    keep_place(sem);
    place_clear(sem);
    sem->depth = value;
    return 0;
}

PUBLIC int sem_destroy(sem_t *s)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(sem_destroy)(s);
    struct place *sem = &engine.places[sem_place(t, s, HERE)];
    keep_place(sem);
    sem->state = PLACE_DESTROYED;
    return 0;
}
