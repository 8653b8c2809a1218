// C11 <threads.h>. The C library's types are those of the pthread calls of the same meaning, and so are the calls, up to
// their answers. (mtx_t has its own name only.)
#define _GNU_SOURCE
#include <errno.h>
#include <threads.h>

#include "base/c11_answer.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

static pthread_mutex_t *c11_mutex(mtx_t *m)
{
    return (pthread_mutex_t *)m;
}

static pthread_cond_t *condition(cnd_t *c)
{
    return (pthread_cond_t *)c;
}

// An int is returned in the lower half of the register that a pointer is returned in; thrd_join looks at no more.
PUBLIC int thrd_create(thrd_t *handle, thrd_start_t start, void *argument)
{
    struct thread *t = engine.running;
    if (!t) {
        early_refuse("creates a thread", HERE);
        return NATIVE(thrd_create)(handle, start, argument);
    }
    int fault = fault_strikes(FAULT_CREATE, "thrd_create", HERE);
    if (unlikely(fault))
        return c11_answer(fault);
    return c11_answer(thread_create(t, handle, NULL, (void *(*)(void *))(uintptr_t)start, argument, HERE));
}

PUBLIC int thrd_join(thrd_t handle, int *value)
{
    struct thread *t = engine.running;
    if (!t)
        return NATIVE(thrd_join)(handle, value);
    const void *pc = HERE;
    struct thread *other = value ? thread_of(handle) : NULL;
    int error = thread_join(t, handle, NULL, pc);
    if (!error && value) {
        join_runs_ask();
        access_write(value, sizeof *value, pc);
        *value = (int)(uintptr_t)other->value;
    }
    return c11_answer(error);
}

PUBLIC int thrd_detach(thrd_t handle)
{
    return engine.running ? c11_answer(thread_detach(handle, HERE)) : NATIVE(thrd_detach)(handle);
}

PUBLIC thrd_t thrd_current(void)
{
    likeness_names_itself();
    return engine.running ? handle_of(engine.running->actor) : NATIVE(thrd_current)();
}

PUBLIC int thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

PUBLIC void thrd_exit(int value)
{
    struct thread *t = engine.running;
    if (t)
        thread_leave(t, (void *)(uintptr_t)(unsigned)value);
    NATIVE(thrd_exit)(value);
    __builtin_unreachable();
}

PUBLIC int thrd_sleep(const struct timespec *length, struct timespec *rest)
{
    if (!engine.running)
        return NATIVE(thrd_sleep)(length, rest);
    cancel_point(engine.running, HERE);
    access_read(length, sizeof *length, HERE);
    if (length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= 1000000000)
        return -2;
    thread_sleep((uint64_t)length->tv_sec * 1000000000u + (uint64_t)length->tv_nsec);
    return 0;
}

PUBLIC void thrd_yield(void)
{
    if (engine.running)
        thread_yield(HERE);
    else
        NATIVE(thrd_yield)();
}

PUBLIC int mtx_init(mtx_t *m, int type)
{
    if (!engine.running)
        return NATIVE(mtx_init)(m, type);
    access_write(m, sizeof *m, HERE);
    int error = NATIVE(mtx_init)(m, type);
    if (error == thrd_success)
        mutex_begin(c11_mutex(m));
    return error;
}

PUBLIC void mtx_destroy(mtx_t *m)
{
    struct thread *t = engine.running;
    if (t)
        mutex_destroy(t, c11_mutex(m), HERE);
    else
        NATIVE(mtx_destroy)(m);
}

PUBLIC int mtx_lock(mtx_t *m)
{
    struct thread *t = engine.running;
    return t ? c11_answer(mutex_lock(t, c11_mutex(m), HERE)) : early_took(NATIVE(mtx_lock)(m), m, HERE);
}

PUBLIC int mtx_trylock(mtx_t *m)
{
    struct thread *t = engine.running;
    return t ? c11_answer(mutex_try(t, c11_mutex(m), HERE)) : early_took(NATIVE(mtx_trylock)(m), m, HERE);
}

PUBLIC int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? c11_answer(timed_lock(t, c11_mutex(m), CLOCK_REALTIME, until, HERE))
             : early_took(NATIVE(mtx_timedlock)(m, until), m, HERE);
}

PUBLIC int mtx_unlock(mtx_t *m)
{
    struct thread *t = engine.running;
    return t ? c11_answer(mutex_unlock(t, c11_mutex(m), HERE)) : early_let_go(NATIVE(mtx_unlock)(m), m);
}

PUBLIC int cnd_init(cnd_t *c)
{
    return engine.running ? c11_answer(cond_init(condition(c), NULL, HERE)) : NATIVE(cnd_init)(c);
}

PUBLIC void cnd_destroy(cnd_t *c)
{
    struct thread *t = engine.running;
    if (t)
        cond_destroy(t, condition(c), HERE);
    else
        NATIVE(cnd_destroy)(c);
}

PUBLIC int cnd_wait(cnd_t *c, mtx_t *m)
{
    struct thread *t = engine.running;
    return t ? c11_answer(cond_wait(t, condition(c), c11_mutex(m), HERE)) : NATIVE(cnd_wait)(c, m);
}

PUBLIC int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until)
{
    struct thread *t = engine.running;
    return t ? c11_answer(cond_timedwait(t, condition(c), c11_mutex(m), CLOCK_REALTIME, until, HERE))
             : NATIVE(cnd_timedwait)(c, m, until);
}

PUBLIC int cnd_signal(cnd_t *c)
{
    struct thread *t = engine.running;
    return t ? c11_answer(cond_wake(t, OP_SIGNAL, condition(c), HERE)) : NATIVE(cnd_signal)(c);
}

PUBLIC int cnd_broadcast(cnd_t *c)
{
    struct thread *t = engine.running;
    return t ? c11_answer(cond_wake(t, OP_BROADCAST, condition(c), HERE)) : NATIVE(cnd_broadcast)(c);
}

PUBLIC void call_once(once_flag *flag, void (*routine)(void))
{
    struct thread *t = engine.running;
    if (t)
        once_call(t, flag, routine, HERE);
    else
        NATIVE(call_once)(flag, routine);
}

PUBLIC int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return engine.running ? c11_answer(key_create(key, destructor, HERE))
                          : key_adopt(NATIVE(tss_create)(key, destructor), key, destructor);
}

PUBLIC void tss_delete(tss_t key)
{
    if (engine.running) {
        key_delete(key, HERE);
    } else {
        NATIVE(tss_delete)(key);
        key_adopt_end(0, key);
    }
}

PUBLIC void *tss_get(tss_t key)
{
    return engine.running ? key_get(key) : NATIVE(tss_get)(key);
}

PUBLIC int tss_set(tss_t key, void *value)
{
    return engine.running ? c11_answer(key_set(key, value)) : key_adopt_value(NATIVE(tss_set)(key, value), key, value);
}
