// Time, in front of libc's own: under control all clocks show the thread's own virtual time, so that what a program
// does with it is the same in every execution. A reading takes READING, so that a loop that waits for a time ends.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "target/threads/libc/public.h"
#include "target/threads/engine/engine_room.h"

struct timeb { // <sys/timeb.h>, which newer systems lack
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
int ftime(struct timeb *now);

#define TO_LIBC(X)                                                                                                     \
    X(clock_gettime)                                                                                                   \
    X(clock_getres)                                                                                                    \
    X(gettimeofday)                                                                                                    \
    X(time)                                                                                                            \
    X(clock)                                                                                                           \
    X(getrusage)                                                                                                       \
    X(timespec_get)                                                                                                    \
    X(nanosleep)                                                                                                       \
    X(clock_nanosleep)                                                                                                 \
    X(usleep)                                                                                                          \
    X(sleep)                                                                                                           \
    X(sched_yield)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_sched_yield) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

static const uint64_t SECOND = 1000000000, READING = 1000;
static const uint64_t FOREVER = 1ull << 62; // 146 years: what longer sleeps are cut to

// Clocks that libc's clock_gettime knows. Negative ones are the processor time of some process or thread, unless their
// lowest bits say that they are devices.
static bool clock_known(clockid_t clock)
{
    return clock < 0 ? (clock & 3) != 3 : clock <= CLOCK_TAI && clock != 10;
}

static bool clock_is_calendar(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_REALTIME_ALARM ||
           clock == CLOCK_TAI;
}

static struct timespec clock_read(clockid_t clock)
{
    uint64_t now = thread_now();
    thread_sleep(READING);
    return (struct timespec){.tv_sec = (time_t)(now / SECOND + (clock_is_calendar(clock) ? realtime_start() : 0)),
                             .tv_nsec = (long)(now % SECOND)};
}

static bool libc_time_valid(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < SECOND;
}

static uint64_t libc_time_nanoseconds(uint64_t seconds, uint64_t rest)
{
    return seconds < FOREVER / SECOND ? seconds * SECOND + rest : FOREVER;
}

PUBLIC int clock_gettime(clockid_t clock, struct timespec *to)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(clock_gettime)(clock, to);
    if (!clock_known(clock)) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now = clock_read(clock);
    access_write(to, sizeof *to, pc);
    *to = now;
    return 0;
}

PUBLIC int clock_getres(clockid_t clock, struct timespec *to)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(clock_getres)(clock, to);
    if (!clock_known(clock)) {
        errno = EINVAL;
        return -1;
    }
    if (to) {
        access_write(to, sizeof *to, pc);
        *to = (struct timespec){.tv_sec = 0, .tv_nsec = 1};
    }
    return 0;
}

PUBLIC int timespec_get(struct timespec *to, int base)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(timespec_get)(to, base);
    if (base != TIME_UTC)
        return 0;
    struct timespec now = clock_read(CLOCK_REALTIME);
    access_write(to, sizeof *to, pc);
    *to = now;
    return base;
}

PUBLIC int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(gettimeofday)(to, zone);
    struct timespec now = clock_read(CLOCK_REALTIME);
    if (zone) {
        access_write(zone, sizeof(struct timezone), pc);
        *(struct timezone *)zone = (struct timezone){.tz_minuteswest = 0, .tz_dsttime = 0};
    }
    struct timeval *there = to;
    __asm__("" : "+r"(there)); // the header says that it is never null, the kernel allows it
    if (there) {
        access_write(there, sizeof *there, pc);
        *there = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    }
    return 0;
}

PUBLIC time_t time(time_t *to)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(time)(to);
    struct timespec now = clock_read(CLOCK_REALTIME);
    if (to) {
        access_write(to, sizeof *to, pc);
        *to = now.tv_sec;
    }
    return now.tv_sec;
}

// libc has no such function to link with any more, so it is made here in both cases.
PUBLIC int ftime(struct timeb *to)
{
    const void *pc = CALLER();
    struct timespec now;
    if (pc) {
        now = clock_read(CLOCK_REALTIME);
        access_write(to, sizeof *to, pc);
        // cppcheck-suppress uninitvar ; it is filled in
    } else if (LIBC(clock_gettime)(CLOCK_REALTIME, &now)) {
        return -1;
    }
    *to = (struct timeb){.time = now.tv_sec, .millitm = (unsigned short)(now.tv_nsec / 1000000)};
    return 0;
}

PUBLIC clock_t clock(void)
{
    if (!under_control())
        return LIBC(clock)();
    struct timespec now = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

// What the process has used up is its time, and nothing else: the same in every execution.
PUBLIC int getrusage(__rusage_who_t who, struct rusage *to)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(getrusage)(who, to);
    if ((int)who != RUSAGE_SELF && (int)who != RUSAGE_CHILDREN && (int)who != RUSAGE_THREAD) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    access_write(to, sizeof *to, pc);
    plain_fill(to, 0, sizeof *to);
    if ((int)who != RUSAGE_CHILDREN)
        to->ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

PUBLIC int nanosleep(const struct timespec *request, struct timespec *rest)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(nanosleep)(request, rest);
    thread_cancellation_point(pc);
    access_read(request, sizeof *request, pc);
    struct timespec time = *request;
    if (!libc_time_valid(&time)) {
        errno = EINVAL;
        return -1;
    }
    thread_sleep(libc_time_nanoseconds((uint64_t)time.tv_sec, (uint64_t)time.tv_nsec));
    return 0;
}

PUBLIC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request, struct timespec *rest)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(clock_nanosleep)(clock, flags, request, rest);
    thread_cancellation_point(pc);
    if (!clock_known(clock) || clock == CLOCK_THREAD_CPUTIME_ID)
        return EINVAL;
    if (clock == CLOCK_MONOTONIC_RAW || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE)
        return ENOTSUP;
    access_read(request, sizeof *request, pc);
    struct timespec time = *request;
    if (!libc_time_valid(&time))
        return EINVAL;
    uint64_t length;
    if (flags & TIMER_ABSTIME) {
        uint64_t start = clock_is_calendar(clock) ? realtime_start() : 0, seconds = (uint64_t)time.tv_sec;
        uint64_t until = seconds < start ? 0 : libc_time_nanoseconds(seconds - start, (uint64_t)time.tv_nsec);
        uint64_t now = thread_now();
        length = until > now ? until - now : 0;
    } else {
        length = libc_time_nanoseconds((uint64_t)time.tv_sec, (uint64_t)time.tv_nsec);
    }
    thread_sleep(length);
    return 0;
}

PUBLIC int usleep(useconds_t microseconds)
{
    if (!under_control())
        return LIBC(usleep)(microseconds);
    thread_cancellation_point(__builtin_return_address(0));
    thread_sleep((uint64_t)microseconds * 1000);
    return 0;
}

PUBLIC unsigned sleep(unsigned seconds)
{
    if (!under_control())
        return LIBC(sleep)(seconds);
    thread_cancellation_point(__builtin_return_address(0));
    thread_sleep(libc_time_nanoseconds(seconds, 0));
    return 0;
}

PUBLIC int sched_yield(void)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(sched_yield)();
    thread_yield(pc);
    return 0;
}
