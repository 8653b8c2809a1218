// Streams that cannot be read or written, or only in part.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif
#include "injector/injected_size.h"
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>

// An error of a stream shows in the stream, too.
static bool stream_fails(enum injection_way way, FILE *file)
{
    enum { GLIBC_ERROR_SEEN = 0x20 };
    if (!injector_fails(way))
        return false;
    file->_flags |= GLIBC_ERROR_SEEN;
    return true;
}

#define STREAM_READ(name, parameters, arguments)                                                                       \
    size_t name parameters;                                                                                            \
    PUBLIC size_t name parameters                                                                                      \
    {                                                                                                                  \
        enum injection_way way = injector_asks(CALL_FREAD, HERE);                                                      \
        if (stream_fails(way, file))                                                                                   \
            return 0;                                                                                                  \
        count = injected_size(way, count);                                                                             \
        size_t n = NEXT(name) arguments;                                                                               \
        trace_access(to, n *size, CANONICAL_WRITE_RANGE, HERE);                                                        \
        return n;                                                                                                      \
    }
#define STREAM_WRITE(name)                                                                                             \
    PUBLIC size_t name(const void *restrict from, size_t size, size_t count, FILE *restrict file)                      \
    {                                                                                                                  \
        enum injection_way way = injector_asks(CALL_FWRITE, HERE);                                                     \
        if (stream_fails(way, file))                                                                                   \
            return 0;                                                                                                  \
        size_t n = NEXT(name)(from, size, injected_size(way, count), file);                                            \
        trace_access(from, n *size, CANONICAL_READ_RANGE, HERE);                                                       \
        return n;                                                                                                      \
    }
#define STREAM_LINE(name, parameters, arguments)                                                                       \
    char *name parameters;                                                                                             \
    PUBLIC char *name parameters                                                                                       \
    {                                                                                                                  \
        enum injection_way way = injector_asks(CALL_FGETS, HERE);                                                      \
        if (stream_fails(way, file))                                                                                   \
            return NULL;                                                                                               \
        size = size > 0 ? (int)injected_size(way, (size_t)size) : size;                                                \
        return trace_line(NEXT(name) arguments, HERE);                                                                 \
    }

static char *trace_line(char *text, const void *pc)
{
    size_t length = 0;
    while (text && trace_on && text[length])
        length++;
    trace_access(text, text && trace_on ? length + 1 : 0, CANONICAL_WRITE_RANGE, pc);
    return text;
}

STREAM_READ(fread, (void *restrict to, size_t size, size_t count, FILE *restrict file), (to, size, count, file))
STREAM_READ(fread_unlocked, (void *restrict to, size_t size, size_t count, FILE *restrict file),
            (to, size, count, file))
STREAM_READ(__fread_chk, (void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file),
            (to, room, size, count, file))
STREAM_READ(__fread_unlocked_chk, (void *restrict to, size_t room, size_t size, size_t count, FILE *restrict file),
            (to, room, size, count, file))
STREAM_WRITE(fwrite)
STREAM_WRITE(fwrite_unlocked)
STREAM_LINE(fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file))
STREAM_LINE(fgets_unlocked, (char *restrict to, int size, FILE *restrict file), (to, size, file))
STREAM_LINE(__fgets_chk, (char *restrict to, size_t room, int size, FILE *restrict file), (to, room, size, file))
STREAM_LINE(__fgets_unlocked_chk, (char *restrict to, size_t room, int size, FILE *restrict file),
            (to, room, size, file))

// A line with room for it already cannot fail for want of memory.
static bool line_fails(enum injection_way way, char *const *line, const size_t *room, FILE *file)
{
    if (way != INJECT_ENOMEM)
        return stream_fails(way, file);
    return (!*line || !*room) && injector_fails(way);
}

static ssize_t trace_got(char *const *line, ssize_t n, const void *pc)
{
    trace_access(n >= 0 ? *line : NULL, n >= 0 ? (size_t)n + 1 : 0, CANONICAL_WRITE_RANGE, pc);
    return n;
}

#define STREAM_DELIMITED(name, parameters, arguments)                                                                  \
    PUBLIC ssize_t name parameters                                                                                     \
    {                                                                                                                  \
        if (line_fails(injector_asks(CALL_GETLINE, HERE), line, room, file))                                           \
            return -1;                                                                                                 \
        return trace_got(line, NEXT(name) arguments, HERE);                                                            \
    }

STREAM_DELIMITED(getline, (char **restrict line, size_t *restrict room, FILE *restrict file), (line, room, file))
STREAM_DELIMITED(getdelim, (char **restrict line, size_t *restrict room, int end, FILE *restrict file),
                 (line, room, end, file))
STREAM_DELIMITED(__getdelim, (char **restrict line, size_t *restrict room, int end, FILE *restrict file),
                 (line, room, end, file)) // what <stdio.h> makes of getline

// What is in the stream stays there, and is written later if it can be.
PUBLIC int fflush(FILE *file)
{
    enum injection_way way = file ? injector_asks(CALL_FFLUSH, HERE) : INJECT_NOTHING;
    if (!way || !stream_fails(way, file))
        return NEXT(fflush)(file);
    return EOF;
}

// It is closed, and what was in it is lost.
PUBLIC int fclose(FILE *file)
{
    enum injection_way way = injector_asks(CALL_FCLOSE, HERE);
    if (!way)
        return NEXT(fclose)(file);
    __fpurge(file);
    NEXT(fclose)(file);
    injector_fails(way);
    return EOF;
}
