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
        return trace_fails(injector_asks(CALL_OPEN, HERE), HERE) ? -1 : NEXT(name)(path, flags, mode);                 \
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
        return trace_fails(injector_asks(CALL_OPENAT, HERE), HERE) ? -1 : NEXT(name)(directory, path, flags, mode);    \
    }

OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                                                                    \
    PUBLIC FILE *name(const char *restrict path, const char *restrict mode)                                            \
    {                                                                                                                  \
        return trace_fails(injector_asks(CALL_FOPEN, HERE), HERE) ? NULL : NEXT(name)(path, mode);                     \
    }

FOPEN(fopen)
FOPEN(fopen64)
