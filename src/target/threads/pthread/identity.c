// What a thread is called, by name and number, and how it wants to be scheduled: kept and given back. Every order is
// explored, so priorities and processors make no difference.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/pthread/surface.h"
#include "target/threads/engine/engine_room.h"

enum { NAME = 16 };

static struct identity {
    char name[NAME];
    uint64_t policy, priority;
    uint64_t bound; // to these processors only, if the program has said so
    cpu_set_t processors;
} identities[MAX_ACTORS];
static uint64_t changed; // how often any of them was, in this execution

// Names and the like can be given to one thread and asked for by another. As long as the program has no call that asks, nobody
// can tell when they are given.
static bool identity_is_asked(void)
{
    return imported.identity;
}

static void identity_look(const struct identity *known, const char *call, const void *pc)
{
    settings_look(call, known, pc);
}

static void identity_change(const struct identity *known, const char *call, const void *pc)
{
    if (identity_is_asked())
        settings_change(call, known, pc);
}

static void identity_keep(struct identity *known)
{
    undo_save_word(&engine.undo, &changed);
    changed++;
    undo_save(&engine.undo, known, sizeof *known);
}

void identity_begin(struct thread *t, const struct thread *creator)
{
    struct identity *own = &identities[t->actor], wanted = {0};
    if (creator)
        wanted = identities[creator->actor];
    if (!changed)
        return;
    identity_keep(own);
    *own = wanted;
}

static struct identity *identity_of(pthread_t handle)
{
    const struct thread *t = thread_of(handle);
    return t ? &identities[t->actor] : NULL;
}

static void set_name(struct identity *known, const char *name, size_t length, const void *pc)
{
    identity_change(known, "pthread_setname_np", pc);
    identity_keep(known);
    plain_move(known->name, name, length);
    known->name[length] = 0;
    if (engine.record)
        record_text(&engine.threads[known - identities], TRACE_NAME, 0, NULL, known->name);
}

PUBLIC int pthread_setname_np(pthread_t handle, const char *name)
{
    if (!engine.running)
        return NATIVE(pthread_setname_np)(handle, name);
    struct identity *known = identity_of(handle);
    size_t length = reported_length(name, NAME, HERE);
    if (length == NAME)
        return ERANGE;
    if (!known)
        return ESRCH;
    set_name(known, name, length, HERE);
    return 0;
}

PUBLIC int pthread_getname_np(pthread_t handle, char *name, size_t size)
{
    if (!engine.running)
        return NATIVE(pthread_getname_np)(handle, name, size);
    const struct identity *known = identity_of(handle);
    if (size < NAME)
        return ERANGE;
    if (!known)
        return ESRCH;
    identity_look(known, "pthread_getname_np", HERE);
    size_t length = plain_length(known->name, NAME - 1);
    access_write(name, length + 1, HERE);
    plain_move(name, known->name, length + 1);
    return 0;
}

// The name of the calling thread, of which longer ones are cut.
PUBLIC int prctl(int option, ...)
{
    struct thread *t = engine.running;
    unsigned long argument[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        argument[i] = va_arg(list, unsigned long);
    va_end(list);
    char *name = (char *)argument[0];
    if (t && option == PR_SET_NAME) {
        set_name(&identities[t->actor], name, reported_length(name, NAME - 1, HERE), HERE);
        return 0;
    }
    if (t && option == PR_GET_NAME) {
        identity_look(&identities[t->actor], "prctl", HERE);
        access_write(name, NAME, HERE);
        plain_move(name, identities[t->actor].name, NAME);
        return 0;
    }
    if (t)
        library_call_missed("prctl", HERE);
    return NATIVE(prctl)(option, argument[0], argument[1], argument[2], argument[3]);
}

static bool is_priority(int policy, int priority)
{
    int low = sched_get_priority_min(policy), high = sched_get_priority_max(policy);
    return low >= 0 && priority >= low && priority <= high;
}

// Whether attributes say how the thread is to be scheduled. Otherwise it is scheduled like the one that creates it.
static bool says_schedule(const pthread_attr_t *attributes, int *policy, struct sched_param *parameters)
{
    int inherits = PTHREAD_INHERIT_SCHED;
    return attributes && !NATIVE(pthread_attr_getinheritsched)(attributes, &inherits) &&
           inherits == PTHREAD_EXPLICIT_SCHED && !NATIVE(pthread_attr_getschedpolicy)(attributes, policy) &&
           !NATIVE(pthread_attr_getschedparam)(attributes, parameters);
}

bool identity_can_be(const pthread_attr_t *attributes)
{
    int policy;
    struct sched_param parameters;
    return !says_schedule(attributes, &policy, &parameters) || is_priority(policy, parameters.sched_priority);
}

void identity_as_asked(const struct thread *child, const pthread_attr_t *attributes)
{
    struct identity *own = &identities[child->actor];
    int policy;
    struct sched_param parameters;
    if (!says_schedule(attributes, &policy, &parameters) ||
        (own->policy == (uint64_t)policy && own->priority == (uint64_t)parameters.sched_priority))
        return;
    identity_keep(own);
    own->policy = (uint64_t)policy;
    own->priority = (uint64_t)parameters.sched_priority;
}

static int identity_schedule(struct identity *known, int policy, int priority, const void *pc)
{
    if (!is_priority(policy, priority))
        return EINVAL;
    identity_change(known, "pthread_setschedparam", pc);
    identity_keep(known);
    known->policy = (uint64_t)policy;
    known->priority = (uint64_t)priority;
    return 0;
}

PUBLIC int pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *parameters)
{
    if (!engine.running)
        return NATIVE(pthread_setschedparam)(handle, policy, parameters);
    struct identity *known = identity_of(handle);
    access_read(parameters, sizeof *parameters, HERE);
    return known ? identity_schedule(known, policy, parameters->sched_priority, HERE) : ESRCH;
}

PUBLIC int pthread_setschedprio(pthread_t handle, int priority)
{
    if (!engine.running)
        return NATIVE(pthread_setschedprio)(handle, priority);
    struct identity *known = identity_of(handle);
    return known ? identity_schedule(known, (int)known->policy, priority, HERE) : ESRCH;
}

PUBLIC int pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *parameters)
{
    if (!engine.running)
        return NATIVE(pthread_getschedparam)(handle, policy, parameters);
    const struct identity *known = identity_of(handle);
    if (!known)
        return ESRCH;
    identity_look(known, "pthread_getschedparam", HERE);
    access_write(policy, sizeof *policy, HERE);
    access_write(parameters, sizeof *parameters, HERE);
    *policy = (int)known->policy;
    parameters->sched_priority = (int)known->priority;
    return 0;
}

// The processors that the process may use.
static void processors_of_process(cpu_set_t *set)
{
    plain_fill(set, 0, sizeof *set);
    if (NATIVE(sched_getaffinity)(0, sizeof *set, set))
        plain_fill(set, 0xff, sizeof *set);
}

// To be scheduled there and nowhere else. It is kept, and the process itself stays where it is.
static int identity_bind(struct identity *known, size_t size, const cpu_set_t *set, const void *pc)
{
    cpu_set_t wanted, usable;
    plain_fill(&wanted, 0, sizeof wanted);
    plain_move(&wanted, set, size < sizeof wanted ? size : sizeof wanted);
    processors_of_process(&usable);
    CPU_AND(&wanted, &wanted, &usable);
    if (!CPU_COUNT(&wanted))
        return EINVAL;
    identity_change(known, "pthread_setaffinity_np", pc);
    identity_keep(known);
    known->bound = 1;
    known->processors = wanted;
    return 0;
}

static int identity_bound(const struct identity *known, size_t size, cpu_set_t *set, const void *pc)
{
    cpu_set_t own;
    identity_look(known, "pthread_getaffinity_np", pc);
    processors_of_process(&own);
    if (known->bound)
        own = known->processors;
    for (size_t i = size; i < sizeof own; i++)
        if (((const uint8_t *)&own)[i])
            return EINVAL; // no room for all
    access_write(set, size, pc);
    plain_fill(set, 0, size);
    plain_move(set, &own, size < sizeof own ? size : sizeof own);
    return 0;
}

PUBLIC int pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set)
{
    if (!engine.running)
        return NATIVE(pthread_setaffinity_np)(handle, size, set);
    access_read(set, size, HERE);
    struct identity *known = identity_of(handle);
    return known ? identity_bind(known, size, set, HERE) : ESRCH;
}

PUBLIC int pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set)
{
    if (!engine.running)
        return NATIVE(pthread_getaffinity_np)(handle, size, set);
    const struct identity *known = identity_of(handle);
    return known ? identity_bound(known, size, set, HERE) : ESRCH;
}

static int identity_answer(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

// The thread that the number stands for; null if it is none of this process. The numbers that the program knows are heddle's, and
// to the kernel they would be somebody else's.
static struct identity *identity_numbered(struct thread *t, pid_t number, const char *call)
{
    if (!number || number == FIRST_PROCESS + (pid_t)t->actor)
        return &identities[t->actor];
    if (number == forked_number())
        return &identities[engine.forked ? t->actor : 0];
    if (number > FIRST_PROCESS && number < FIRST_PROCESS + MAX_ACTORS)
        refuse(t, call, "let the thread that is meant call it");
    return NULL;
}

PUBLIC int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set)
{
    struct thread *t = engine.running;
    struct identity *known = t ? identity_numbered(t, process, "sched_setaffinity for another thread") : NULL;
    if (!known)
        return NATIVE(sched_setaffinity)(process, size, set);
    access_read(set, size, HERE);
    return identity_answer(identity_bind(known, size, set, HERE));
}

PUBLIC int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    struct thread *t = engine.running;
    const struct identity *known = t ? identity_numbered(t, process, "sched_getaffinity for another thread") : NULL;
    if (!known)
        return NATIVE(sched_getaffinity)(process, size, set);
    return identity_answer(identity_bound(known, size, set, HERE));
}

PUBLIC int sched_setscheduler(pid_t process, int policy, const struct sched_param *parameters)
{
    struct thread *t = engine.running;
    struct identity *known = t ? identity_numbered(t, process, "sched_setscheduler for another thread") : NULL;
    if (!known)
        return NATIVE(sched_setscheduler)(process, policy, parameters);
    access_read(parameters, sizeof *parameters, HERE);
    return identity_answer(identity_schedule(known, policy, parameters->sched_priority, HERE));
}

PUBLIC int sched_setparam(pid_t process, const struct sched_param *parameters)
{
    struct thread *t = engine.running;
    struct identity *known = t ? identity_numbered(t, process, "sched_setparam for another thread") : NULL;
    if (!known)
        return NATIVE(sched_setparam)(process, parameters);
    access_read(parameters, sizeof *parameters, HERE);
    return identity_answer(identity_schedule(known, (int)known->policy, parameters->sched_priority, HERE));
}

PUBLIC int sched_getscheduler(pid_t process)
{
    struct thread *t = engine.running;
    const struct identity *known = t ? identity_numbered(t, process, "sched_getscheduler for another thread") : NULL;
    if (!known)
        return NATIVE(sched_getscheduler)(process);
    identity_look(known, "sched_getscheduler", HERE);
    return (int)known->policy;
}

PUBLIC int sched_getparam(pid_t process, struct sched_param *parameters)
{
    struct thread *t = engine.running;
    const struct identity *known = t ? identity_numbered(t, process, "sched_getparam for another thread") : NULL;
    if (!known)
        return NATIVE(sched_getparam)(process, parameters);
    identity_look(known, "sched_getparam", HERE);
    access_write(parameters, sizeof *parameters, HERE);
    parameters->sched_priority = (int)known->priority;
    return 0;
}

PUBLIC int pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
    if (!engine.running)
        return NATIVE(pthread_getcpuclockid)(handle, clock);
    if (!thread_of(handle))
        return ESRCH;
    if (thread_of(handle) != engine.running)
        refuse(engine.running, "pthread_getcpuclockid for another thread",
               "let that thread read CLOCK_THREAD_CPUTIME_ID");
    access_write(clock, sizeof *clock, HERE);
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

// The C library's headers turn the older name into sched_yield; programs that were built long ago have it.
PUBLIC int older_yield(void) __asm__("pthread_yield");
PUBLIC int older_yield(void)
{
    if (!engine.running)
        return sched_yield();
    thread_yield(HERE);
    return 0;
}
