// What the system says about the process and gives as randomness, in front of libc's own: under control it is the same in
// every execution and in every process.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/random.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/libc/public.h"
#include "target/threads/pthread/pthread_room.h"

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
    X(fopen)                                                                                                           \
    X(fopen64)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_fopen64) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

enum { PROCESS = FIRST_PROCESS }; // threads follow their process

PUBLIC pid_t getpid(void)
{
    return under_control() ? forked_number() : LIBC(getpid)();
}

PUBLIC pid_t getppid(void)
{
    return under_control() ? forked_parent() : LIBC(getppid)();
}

PUBLIC pid_t gettid(void)
{
    likeness_names_itself();
    return under_control() ? PROCESS + (pid_t)engine.running->actor : LIBC(gettid)();
}

// ---- /dev/urandom and /dev/random ----
//
// All of them are one descriptor, which stays open: its number is the same each time.

static PROCESS_STATE int random_device = -1;

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

#define OPENS(name, directory, arguments, ...)                                                                         \
    PUBLIC int name(__VA_ARGS__, int flags, ...)                                                                       \
    {                                                                                                                  \
        if (under_control() && is_random_device(path))                                                                 \
            return open_random_device();                                                                               \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = mode_of(flags, rest);                                                                            \
        va_end(rest);                                                                                                  \
        if (under_control()) {                                                                                         \
            files_open(directory, path, flags, HERE);                                                                  \
            if (!(flags & (O_CREAT | O_TRUNC)) && (flags & O_ACCMODE) == O_RDONLY)                                     \
                path = outside_kept(directory, path);                                                                  \
        }                                                                                                              \
        return LIBC(name) arguments;                                                                                   \
    }
OPENS(open, AT_FDCWD, (path, flags, mode), const char *path)
OPENS(open64, AT_FDCWD, (path, flags, mode), const char *path)
OPENS(openat, directory, (directory, path, flags, mode), int directory, const char *path)
OPENS(openat64, directory, (directory, path, flags, mode), int directory, const char *path)

bool is_random_descriptor(int fd)
{
    return fd >= 0 && fd == random_device;
}

static ssize_t read_random(void *nothing, char *to, size_t size)
{
    (void)nothing;
    return getrandom(to, size, 0);
}

#define OPENS_STREAM(name)                                                                                             \
    PUBLIC FILE *name(const char *path, const char *mode)                                                              \
    {                                                                                                                  \
        if (under_control())                                                                                           \
            files_open_stream(path, mode, HERE);                                                                       \
        if (under_control() && is_random_device(path))                                                                 \
            return fopencookie(NULL, mode, (cookie_io_functions_t){.read = read_random});                              \
        return LIBC(name)(files_stream_path(path, mode), mode);                                                        \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)
