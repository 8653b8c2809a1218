// What the system says about the process and gives as randomness, in front of libc's own: under control it is the same in
// every execution and in every process. Also by the number of the system call, where one of the interposed functions does
// the same.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "target/threads/engine.h"
#include "target/threads/public.h"

int open64(const char *path, int flags, ...);
int openat64(int directory, const char *path, int flags, ...);
FILE *fopen64(const char *path, const char *mode);

#define TO_LIBC(X)                                                                                                     \
    X(getpid)                                                                                                          \
    X(getppid)                                                                                                         \
    X(gettid)                                                                                                          \
    X(open)                                                                                                            \
    X(open64)                                                                                                          \
    X(openat)                                                                                                          \
    X(openat64)                                                                                                        \
    X(read)                                                                                                            \
    X(close)                                                                                                           \
    X(fopen)                                                                                                           \
    X(fopen64)                                                                                                         \
    X(syscall)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_syscall) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

enum { PARENT = 4999, PROCESS = 5000 }; // as good as any; threads follow their process

PUBLIC pid_t getpid(void)
{
    return under_control() ? PROCESS : LIBC(getpid)();
}

PUBLIC pid_t getppid(void)
{
    return under_control() ? PARENT : LIBC(getppid)();
}

PUBLIC pid_t gettid(void)
{
    return under_control() ? PROCESS + (pid_t)engine.running->actor : LIBC(gettid)();
}

// ---- /dev/urandom and /dev/random ----
//
// All of them are one descriptor, which stays open: its number is the same each time.

static int random_device = -1;

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

static bool is_random_device(const char *path)
{
    return path && (same_text(path, "/dev/urandom") || same_text(path, "/dev/random"));
}

static int open_random_device(void)
{
    if (random_device < 0)
        random_device = LIBC(open)("/dev/null", O_RDONLY | O_CLOEXEC);
    return random_device;
}

static mode_t mode_of(int flags, va_list rest)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(rest, unsigned) : 0;
}

#define OPENS(name)                                                                                                    \
    PUBLIC int name(const char *path, int flags, ...)                                                                  \
    {                                                                                                                  \
        if (under_control() && is_random_device(path))                                                                 \
            return open_random_device();                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = mode_of(flags, rest);                                                                            \
        va_end(rest);                                                                                                  \
        return LIBC(name)(path, flags, mode);                                                                          \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                                                 \
    PUBLIC int name(int directory, const char *path, int flags, ...)                                                   \
    {                                                                                                                  \
        if (under_control() && is_random_device(path))                                                                 \
            return open_random_device();                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = mode_of(flags, rest);                                                                            \
        va_end(rest);                                                                                                  \
        return LIBC(name)(directory, path, flags, mode);                                                               \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

PUBLIC ssize_t read(int fd, void *to, size_t size)
{
    const void *pc = CALLER();
    if (pc && fd == random_device && fd >= 0)
        return getrandom(to, size, 0);
    if (pc && size)
        access_write(to, size, pc);
    return LIBC(read)(fd, to, size);
}

PUBLIC int close(int fd)
{
    if (under_control() && fd == random_device && fd >= 0)
        return 0;
    return LIBC(close)(fd);
}

static ssize_t read_random(void *nothing, char *to, size_t size)
{
    (void)nothing;
    return getrandom(to, size, 0);
}

#define OPENS_STREAM(name)                                                                                             \
    PUBLIC FILE *name(const char *path, const char *mode)                                                              \
    {                                                                                                                  \
        if (under_control() && is_random_device(path))                                                                 \
            return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_random});                              \
        return LIBC(name)(path, mode);                                                                                 \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

// ---- by number ----

static _Noreturn void refuse_futex(void)
{
    unsupported(engine.running, "the program calls syscall(SYS_futex), which heddle does not follow: use a mutex and a "
                                "condition variable instead");
}

static long controlled_call(long number, const long *a, bool *done)
{
    *done = true;
    switch (number) {
    case SYS_getpid:
        return getpid();
    case SYS_getppid:
        return getppid();
    case SYS_gettid:
        return gettid();
    case SYS_getrandom:
        return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    case SYS_gettimeofday:
        return gettimeofday((struct timeval *)a[0], (void *)a[1]);
    case SYS_time:
        return time((time_t *)a[0]);
    case SYS_nanosleep:
        return nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
    case SYS_sched_yield:
        return sched_yield();
    case SYS_futex:
        refuse_futex();
    default:
        *done = false;
        return 0;
    }
}

PUBLIC long syscall(long number, ...)
{
    enum { ARGUMENTS = 6 };
    long a[ARGUMENTS];
    va_list rest;
    va_start(rest, number);
    for (int i = 0; i < ARGUMENTS; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    bool done = false;
    long result = under_control() ? controlled_call(number, a, &done) : 0;
    return done ? result : LIBC(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
