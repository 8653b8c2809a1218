// Files that cannot be opened.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

// The mode, where there is one.
static mode_t mode_of(int flags, va_list rest)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

#define OPEN(name)                                                                                                     \
    PUBLIC int name(const char *path, int flags, ...)                                                                  \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = mode_of(flags, rest);                                                                            \
        va_end(rest);                                                                                                  \
        return injector_fails(injector_asks(CALL_OPEN, HERE)) ? -1 : NEXT(name)(path, flags, mode);                    \
    }

OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                                   \
    PUBLIC int name(int directory, const char *path, int flags, ...)                                                   \
    {                                                                                                                  \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = mode_of(flags, rest);                                                                            \
        va_end(rest);                                                                                                  \
        return injector_fails(injector_asks(CALL_OPENAT, HERE)) ? -1 : NEXT(name)(directory, path, flags, mode);       \
    }

OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                                                                                    \
    PUBLIC int name(const char *path, mode_t mode)                                                                     \
    {                                                                                                                  \
        return injector_fails(injector_asks(CALL_OPEN, HERE)) ? -1 : NEXT(name)(path, mode);                           \
    }

CREAT(creat)
CREAT(creat64)

// Those of programs that are built with _FORTIFY_SOURCE.
#define OPEN_CHECKED(name)                                                                                             \
    int name(const char *path, int flags);                                                                             \
    PUBLIC int name(const char *path, int flags)                                                                       \
    {                                                                                                                  \
        return injector_fails(injector_asks(CALL_OPEN, HERE)) ? -1 : NEXT(name)(path, flags);                          \
    }

OPEN_CHECKED(__open_2)
OPEN_CHECKED(__open64_2)

#define OPENAT_CHECKED(name)                                                                                           \
    int name(int directory, const char *path, int flags);                                                              \
    PUBLIC int name(int directory, const char *path, int flags)                                                        \
    {                                                                                                                  \
        return injector_fails(injector_asks(CALL_OPENAT, HERE)) ? -1 : NEXT(name)(directory, path, flags);             \
    }

OPENAT_CHECKED(__openat_2)
OPENAT_CHECKED(__openat64_2)

#define FOPEN(name)                                                                                                    \
    PUBLIC FILE *name(const char *restrict path, const char *restrict mode)                                            \
    {                                                                                                                  \
        return injector_fails(injector_asks(CALL_FOPEN, HERE)) ? NULL : NEXT(name)(path, mode);                        \
    }

FOPEN(fopen)
FOPEN(fopen64)
