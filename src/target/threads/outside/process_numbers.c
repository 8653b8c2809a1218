// Calls about a process that is named by its number. The number that the program knows of its own is heddle's, the same in every
// run, and to the kernel it would be somebody else's: it becomes 0 here, which stands for the process that calls.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/pthread/pthread_room.h"

static pid_t as_kernel_has_it(pid_t number)
{
    const struct thread *t = engine.running;
    return t && (number == forked_number() || number == FIRST_PROCESS + (pid_t)t->actor) ? 0 : number;
}

PUBLIC pid_t getpgid(pid_t process)
{
    return NATIVE(getpgid)(as_kernel_has_it(process));
}

PUBLIC pid_t getsid(pid_t process)
{
    return NATIVE(getsid)(as_kernel_has_it(process));
}

PUBLIC int getpriority(__priority_which_t which, id_t who)
{
    return NATIVE(getpriority)(which, which == PRIO_PROCESS ? (id_t)as_kernel_has_it((pid_t)who) : who);
}

PUBLIC int setpriority(__priority_which_t which, id_t who, int priority)
{
    if (engine.running)
        library_call_missed("setpriority", HERE);
    return NATIVE(setpriority)(which, which == PRIO_PROCESS ? (id_t)as_kernel_has_it((pid_t)who) : who, priority);
}

PUBLIC int sched_rr_get_interval(pid_t process, struct timespec *interval)
{
    if (engine.running)
        access_write(interval, sizeof *interval, HERE);
    return NATIVE(sched_rr_get_interval)(as_kernel_has_it(process), interval);
}

// The limits of this process are those of getrlimit and setrlimit.
static int own_limits(__rlimit_resource_t resource, const struct rlimit *wanted, struct rlimit *before)
{
    if (before && getrlimit(resource, before))
        return -1;
    return wanted ? setrlimit(resource, wanted) : 0;
}

PUBLIC int prlimit(pid_t process, __rlimit_resource_t resource, const struct rlimit *wanted, struct rlimit *before)
{
    return engine.running && !as_kernel_has_it(process) ? own_limits(resource, wanted, before)
                                                        : NATIVE(prlimit)(process, resource, wanted, before);
}

PUBLIC int clock_getcpuclockid(pid_t process, clockid_t *clock)
{
    if (!engine.running || as_kernel_has_it(process))
        return NATIVE(clock_getcpuclockid)(process, clock);
    access_write(clock, sizeof *clock, HERE);
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}
