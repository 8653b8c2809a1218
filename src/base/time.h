// The time that has passed, in seconds since some moment. Asked of the kernel directly, since the clocks of the C library may be
// those of the program under test.
#ifndef BASE_TIME_H
#define BASE_TIME_H

#include <sys/syscall.h>
#include <time.h>

#include "base/raw.h"

static inline double time_now(void)
{
    struct timespec t = {0};
    raw_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&t, 0);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
