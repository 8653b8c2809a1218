// Elapsed time in seconds, since an arbitrary moment. The one place that looks at the clock.
//
// Inside the program under test it asks the kernel directly, since the clocks of the C library may be those of the
// program. That takes several times as long, so the command asks the C library.
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <sys/syscall.h>
#include <time.h>

#include "base/raw.h"

static inline double time_of(clockid_t clock)
{
    struct timespec t = {0};
#ifdef HEDDLE_RUNTIME
    raw_call(SYS_clock_gettime, clock, (long)&t, 0);
#else
    clock_gettime(clock, &t);
#endif
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double time_now(void)
{
    return time_of(CLOCK_MONOTONIC);
}

// Processor time that this process has taken: the same for the same work, however busy the machine is.
static inline double time_worked(void)
{
    return time_of(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
