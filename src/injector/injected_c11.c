// C11 <threads.h>. The C library's types are those of the pthread calls of the same meaning, and so are the calls, up to their answers.
#define _GNU_SOURCE
#include "injector/injected_waits.h"
#include "injector/injector_turns.h"

#include <errno.h>
#include <sched.h>
#include <threads.h>

#include "base/c11_answer.h"

// An int is returned in the lower half of the register that a pointer is returned in; thrd_join looks at no more.
PUBLIC int thrd_create(thrd_t *handle, thrd_start_t start, void *argument)
{
    return c11_answer(
        injector_create(CALL_THRD_CREATE, handle, NULL, (void *(*)(void *))(uintptr_t)start, argument, HERE));
}

PUBLIC int thrd_join(thrd_t handle, int *value)
{
    void *returned = NULL;
    int error = injected_join(handle, &returned, HERE);
    if (!error && value)
        *value = (int)(uintptr_t)returned;
    return c11_answer(error);
}

PUBLIC void thrd_exit(int value)
{
    pthread_exit((void *)(uintptr_t)(unsigned)value);
}

PUBLIC void thrd_yield(void)
{
    sched_yield();
}

// -1: it was interrupted.
PUBLIC int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    return injected_sleep(CALL_THRD_SLEEP, time, left, HERE);
}

PUBLIC int mtx_lock(mtx_t *m)
{
    return c11_answer(injected_lock(CALL_MTX_LOCK, (pthread_mutex_t *)m, HERE));
}

PUBLIC int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict until)
{
    return c11_answer(injected_timedlock(CALL_MTX_TIMEDLOCK, (pthread_mutex_t *)m, CLOCK_REALTIME, until, HERE));
}

PUBLIC int mtx_trylock(mtx_t *m)
{
    return c11_answer(injected_trylock((pthread_mutex_t *)m, HERE));
}

PUBLIC int mtx_unlock(mtx_t *m)
{
    return c11_answer(injected_unlock((pthread_mutex_t *)m, HERE));
}

PUBLIC int cnd_wait(cnd_t *c, mtx_t *m)
{
    return c11_answer(injected_wait((pthread_cond_t *)c, (pthread_mutex_t *)m, HERE));
}

PUBLIC int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict until)
{
    return c11_answer(injected_timedwait(CALL_CND_TIMEDWAIT, (pthread_cond_t *)c, (pthread_mutex_t *)m, until, HERE));
}

PUBLIC int cnd_signal(cnd_t *c)
{
    return c11_answer(injected_signal((pthread_cond_t *)c, false, HERE));
}

PUBLIC int cnd_broadcast(cnd_t *c)
{
    return c11_answer(injected_signal((pthread_cond_t *)c, true, HERE));
}

PUBLIC void call_once(once_flag *once, void (*run)(void))
{
    injected_once((pthread_once_t *)once, run);
}
