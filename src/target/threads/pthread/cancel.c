// Cancellation, of the deferred kind: a thread that was asked to end does so at its next cancellation point.
//
// A cancellation point asks first whether the request is there; that is an event, so a request before and after it are both
// explored. Being cancelled while it waits (sem_wait, pthread_join, read) is the same as asking only later. Only a wait on a
// condition variable does something before it waits, it lets its mutex go; whether it will be ended by a request is
// therefore the search's choice, as for time-outs: it is not among the waiters then, and if no request comes, that
// execution is the other choice once more. A thread that waits in spite of a request waits for nothing: its execution is
// one of the others once more.
//
// Calls of stdio act on a request only when they read or write a file, which depends on what is in the stream's buffer. POSIX
// leaves it open, so here it is a choice as well.
//
// All of this happens only if the program has pthread_cancel in it.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/surface.h"

static struct cancellation {
    uint64_t asked; // to end
    uint64_t deaf;  // cancellation is disabled, or it is ending already
    uint64_t clock; // what whoever asked it knew
} cancellations[MAX_ACTORS];

static struct cancellation *cancel_of(const struct thread *t)
{
    return &cancellations[t->actor];
}

static void cancel_set(uint64_t *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *where = value;
}

void cancel_begin(struct thread *t)
{
    if (cancel_of(t)->asked)
        cancel_set(&cancel_of(t)->asked, 0);
    if (cancel_of(t)->deaf)
        cancel_set(&cancel_of(t)->deaf, 0);
}

static uint64_t cancel_address_of(const struct thread *t)
{
    return (uint64_t)handle_of(t->actor) + 8; // nobody else's
}

enum effect do_cancel(struct thread *t, struct place *place)
{
    (void)place;
    struct cancellation *other = &cancellations[t->request.mutex];
    if (other->asked)
        return EFFECT_READ;
    cancel_set(&other->asked, 1);
    return EFFECT_WRITE;
}

void after_cancel(struct thread *t, enum effect effect)
{
    if (effect == EFFECT_READ)
        return;
    engine.exec.actors[t->actor].own = 0;
    cancel_set(&cancellations[t->request.mutex].clock, engine.exec.actors[t->actor].clock);
}

enum effect do_testcancel(struct thread *t, struct place *place)
{
    (void)place;
    t->result = cancel_of(t)->asked;
    return EFFECT_READ;
}

bool cancelled_ready(struct thread *t, struct place *place)
{
    (void)place;
    return cancel_of(t)->asked;
}

enum effect do_cancelled(struct thread *t, struct place *place)
{
    (void)place;
    exec_learn(&engine.exec, t->actor, (clock_id)cancel_of(t)->clock);
    return EFFECT_NONE;
}

static _Noreturn void cancel_end(struct thread *t)
{
    cancel_set(&cancel_of(t)->deaf, 1);
    thread_leave(t, PTHREAD_CANCELED);
}

static bool cancel_was_asked(struct thread *t, const void *pc)
{
    if (!imported.cancel || cancel_of(t)->deaf)
        return false;
    ask(t, OP_TESTCANCEL, cancel_address_of(t), place_at(cancel_address_of(t)), pc);
    return visible(t);
}

void cancel_point_perhaps(struct thread *t, const void *pc)
{
    if (cancel_was_asked(t, pc))
        cancel_end(t);
}

void cancel_point_if_it_likes(struct thread *t, const void *pc)
{
    if (cancel_was_asked(t, pc) && search_chooses(t, CHOICE_CANCELLED, 2, pc))
        cancel_end(t);
}

bool cancel_deafen(struct thread *t, bool deaf)
{
    bool before = cancel_of(t)->deaf;
    if (before != deaf && imported.cancel)
        cancel_set(&cancel_of(t)->deaf, deaf);
    return before;
}

void thread_cancellation_point(const void *pc)
{
    cancel_point(engine.running, pc);
}

void cancel_wait(struct thread *t, pthread_mutex_t *m, const void *pc)
{
    cancel_point(t, pc);
    if (!imported.cancel || cancel_of(t)->deaf)
        return;
    if (!search_chooses(t, CHOICE_CANCELLED, 2, pc))
        return;
    mutex_unlock(t, m, pc);
    ask(t, OP_CANCELLED, 0, 0, pc);
    visible(t);
    mutex_lock(t, m, pc);
    cancel_end(t);
}

bool cancel_ends_wait(const struct thread *t)
{
    const struct request *r = &t->request;
    if (cancel_of(t)->deaf)
        return false;
    if (r->kind == OP_CANCELLED)
        return true;
    return cancel_of(t)->asked && op_table[r->kind].may_cancel;
}

PUBLIC int pthread_cancel(pthread_t handle)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_cancel)(handle);
    if (!imported.cancel)
        refuse(t, "pthread_cancel by a pointer that dlsym gave", "call it by its name");
    const struct thread *other = thread_of(handle);
    if (!other)
        return thread_unknown(handle, "cancels", HERE);
    ask(t, OP_CANCEL, cancel_address_of(other), place_at(cancel_address_of(other)), HERE)->mutex = other->actor;
    visible(t);
    return 0;
}

PUBLIC void pthread_testcancel(void)
{
    if (engine.running)
        cancel_point(engine.running, HERE);
    else
        NATIVE(pthread_testcancel)();
}

PUBLIC int pthread_setcancelstate(int state, int *before)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_setcancelstate)(state, before);
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    if (before) {
        access_write(before, sizeof *before, HERE);
        *before = cancel_of(t)->deaf ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    cancel_set(&cancel_of(t)->deaf, state == PTHREAD_CANCEL_DISABLE);
    return 0;
}

PUBLIC int pthread_setcanceltype(int type, int *before)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(pthread_setcanceltype)(type, before);
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        refuse(t, "pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS)",
               "leave cancellation deferred, and call pthread_testcancel where the thread may end");
    if (before) {
        access_write(before, sizeof *before, HERE);
        *before = PTHREAD_CANCEL_DEFERRED;
    }
    return 0;
}
