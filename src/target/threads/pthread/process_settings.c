// Settings that the thread library keeps for the whole process: the attributes that new threads have by default, and the
// level of concurrency, which nobody heeds. The C library's own stay as they are, since going back would not know of them.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/surface.h"

static struct settings {
    uint64_t concurrency;
    uint64_t given; // the program has set the attributes below
    uint64_t stack_size, guard_size, detached, policy, priority, inherits;
} settings;

void settings_look(const char *call, const void *kept, const void *pc)
{
    ask(engine.running, OP_LOOK, 0, place_at((uint64_t)(uintptr_t)kept), pc)->operand = (uintptr_t)call;
    visible(engine.running);
}

void settings_change(const char *call, const void *kept, const void *pc)
{
    ask(engine.running, OP_LIBRARY, 0, place_at((uint64_t)(uintptr_t)kept), pc)->operand = (uintptr_t)call;
    visible(engine.running);
}

PUBLIC int pthread_setconcurrency(int level)
{
    if (!engine.running)
        return NATIVE(pthread_setconcurrency)(level);
    if (level < 0)
        return EINVAL;
    settings_change("pthread_setconcurrency", &settings, HERE);
    undo_save_word(&engine.undo, &settings.concurrency);
    settings.concurrency = (uint64_t)level;
    return 0;
}

PUBLIC int pthread_getconcurrency(void)
{
    if (!engine.running)
        return NATIVE(pthread_getconcurrency)();
    settings_look("pthread_getconcurrency", &settings, HERE);
    return (int)settings.concurrency;
}

// Reads attributes of the program; false: they cannot be those of several threads.
static bool settings_read(struct settings *wanted, const pthread_attr_t *a)
{
    size_t stack = 0, guard = 0;
    void *start = NULL;
    int detached = 0, policy = 0, inherits = 0;
    struct sched_param parameters = {0};
    pthread_attr_getstack(a, &start, &stack);
    pthread_attr_getstacksize(a, &stack);
    pthread_attr_getguardsize(a, &guard);
    pthread_attr_getdetachstate(a, &detached);
    pthread_attr_getschedpolicy(a, &policy);
    pthread_attr_getschedparam(a, &parameters);
    pthread_attr_getinheritsched(a, &inherits);
    *wanted = (struct settings){.given = 1,
                                .stack_size = stack,
                                .guard_size = guard,
                                .detached = (uint64_t)detached,
                                .policy = (uint64_t)policy,
                                .priority = (uint64_t)parameters.sched_priority,
                                .inherits = (uint64_t)inherits};
    return !start || (uint64_t)(uintptr_t)start + stack == 0; // without a stack of its own, it begins below address 0
}

static void settings_write(pthread_attr_t *a)
{
    struct sched_param parameters = {.sched_priority = (int)settings.priority};
    if (settings.stack_size)
        pthread_attr_setstacksize(a, settings.stack_size);
    pthread_attr_setguardsize(a, settings.guard_size);
    pthread_attr_setdetachstate(a, (int)settings.detached);
    pthread_attr_setschedpolicy(a, (int)settings.policy);
    pthread_attr_setschedparam(a, &parameters);
    pthread_attr_setinheritsched(a, (int)settings.inherits);
}

// Calls of heddle's own to functions that it stands in front of.
static bool settings_read_quietly(struct settings *wanted, const pthread_attr_t *a)
{
    struct thread *t = engine.running;
    engine.running = NULL;
    bool usable = settings_read(wanted, a);
    engine.running = t;
    return usable;
}

static void settings_write_quietly(pthread_attr_t *a)
{
    struct thread *t = engine.running;
    engine.running = NULL;
    settings_write(a);
    engine.running = t;
}

PUBLIC int pthread_setattr_default_np(const pthread_attr_t *a)
{
    if (!engine.running)
        return NATIVE(pthread_setattr_default_np)(a);
    struct settings wanted;
    access_read(a, sizeof *a, HERE);
    if (!settings_read_quietly(&wanted, a) || (wanted.stack_size && wanted.stack_size < (size_t)PTHREAD_STACK_MIN))
        return EINVAL;
    settings_change("pthread_setattr_default_np", &settings, HERE);
    undo_save(&engine.undo, &settings, sizeof settings);
    wanted.concurrency = settings.concurrency;
    settings = wanted;
    return 0;
}

PUBLIC int pthread_getattr_default_np(pthread_attr_t *a)
{
    if (!engine.running)
        return NATIVE(pthread_getattr_default_np)(a);
    settings_look("pthread_getattr_default_np", &settings, HERE);
    access_write(a, sizeof *a, HERE);
    int error = NATIVE(pthread_getattr_default_np)(a);
    if (!error && settings.given)
        settings_write_quietly(a);
    return error;
}

bool settings_of_new_thread(size_t *stack_size, int *detached)
{
    if (!settings.given)
        return false;
    if (settings.stack_size)
        *stack_size = settings.stack_size;
    *detached = (int)settings.detached;
    return true;
}
