// Threads: creation, ends, joins.
#include "recorder/recorder.h"

#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

// What a new thread is to run. In a page of its own, since malloc is the program's.
struct beginning {
    void *(*start)(void *);
    void *argument;
    uint32_t number, creator;
};

static struct beginning *beginning_new(void *(*start)(void *), void *argument, uint32_t creator)
{
    struct beginning *b = recorder_map(sizeof *b, 0);
    if (!b)
        return NULL;
    *b = (struct beginning){start, argument, recorder_new_number(), creator};
    return b;
}

static void *begin_recorded(void *argument)
{
    struct beginning b = *(struct beginning *)argument;
    recorder_unmap(argument, sizeof b);
    if (recorder.on)
        recorder_attach(b.number, b.creator + 1);
    return b.start(b.argument);
}

// The number is taken before the thread is there, and so it is before all that the thread does.
static int create_recorded(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                           const void *pc)
{
    struct recorder_thread *me = recorder.on ? recorder_enter() : NULL;
    struct beginning *b = NULL;
    if (me) {
        b = beginning_new(start, argument, me->number);
        recorder_leave(me);
    }
    if (!b)
        return NATIVE(pthread_create)(handle, attributes, start, argument);
    uint32_t number = b->number;
    if (recorder_modules_stale)
        recorder_tell_modules();
    recorder_sync(RECORDING_CREATE, NULL, number, 0, pc);
    int error = NATIVE(pthread_create)(handle, attributes, begin_recorded, b);
    if (error) {
        recorder_sync(RECORDING_CREATE, NULL, number, RECORDING_FAILED, pc);
        recorder_unmap(b, sizeof *b);
    } else {
        recorder_know_handle(number, (uint64_t)*handle);
    }
    return error;
}

PUBLIC int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes, void *(*start)(void *),
                          void *restrict argument)
{
    const void *pc = HERE;
    int error = create_recorded(handle, attributes, start, argument, pc);
    if (!error)
        recorder_range(handle, sizeof *handle, true, pc);
    return error;
}

// An int is returned in the lower half of the register that a pointer is returned in; thrd_join looks at no more.
PUBLIC int thrd_create(thrd_t *handle, thrd_start_t start, void *argument)
{
    int error = create_recorded(handle, NULL, (void *(*)(void *))(uintptr_t)start, argument, HERE);
    return error == ENOMEM ? thrd_nomem : error ? thrd_error : thrd_success;
}

// The handle may be given to a new thread as soon as the join returns, so it is looked up before.
static int joined(uint32_t number, int error, const void *pc)
{
    if (error || number == RECORDER_NOBODY)
        return error;
    recorder_forget_handle(number);
    recorder_sync(RECORDING_JOIN, NULL, number, 0, pc);
    return 0;
}

#define JOINING(name, parameters, arguments)                                                                           \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        uint32_t number = recorder.on ? recorder_find((uint64_t)handle) : RECORDER_NOBODY;                             \
        return joined(number, NATIVE(name) arguments, HERE);                                                           \
    }

JOINING(pthread_join, (pthread_t handle, void **value), (handle, value))
JOINING(pthread_tryjoin_np, (pthread_t handle, void **value), (handle, value))
JOINING(pthread_timedjoin_np, (pthread_t handle, void **value, const struct timespec *until), (handle, value, until))
JOINING(pthread_clockjoin_np, (pthread_t handle, void **value, clockid_t clock, const struct timespec *until),
        (handle, value, clock, until))
JOINING(thrd_join, (thrd_t handle, int *value), (handle, value))

PUBLIC int pthread_detach(pthread_t handle)
{
    uint32_t number = recorder.on ? recorder_find((uint64_t)handle) : RECORDER_NOBODY;
    if (number != RECORDER_NOBODY)
        recorder_sync(RECORDING_DETACH, NULL, number, 0, HERE);
    return NATIVE(pthread_detach)(handle);
}

PUBLIC int thrd_detach(thrd_t handle)
{
    uint32_t number = recorder.on ? recorder_find((uint64_t)handle) : RECORDER_NOBODY;
    if (number != RECORDER_NOBODY)
        recorder_sync(RECORDING_DETACH, NULL, number, 0, HERE);
    return NATIVE(thrd_detach)(handle);
}

PUBLIC int pthread_setname_np(pthread_t handle, const char *name)
{
    size_t length = 0;
    while (length < 16 && name[length])
        length++;
    if (recorder.on)
        recorder_text(RECORDING_THREAD_NAME, recorder_find((uint64_t)handle), name, length);
    return NATIVE(pthread_setname_np)(handle, name);
}
