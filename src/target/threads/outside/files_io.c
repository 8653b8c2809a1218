// Input and output by descriptors and streams that were opened before. What goes to standard output and standard error is
// the engine's affair.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"

// `before`: what of the program's memory the call reads or writes.
#define USES(result, name, parameters, arguments, before)                                                              \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t) {                                                                                                       \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
            before;                                                                                                    \
        }                                                                                                              \
        return NATIVE(name) arguments;                                                                                 \
    }
// The same by a descriptor. Those between threads have no place to go to: the call fails there, as for the kernel's.
#define USES_PLACE(result, name, parameters, arguments, error, before)                                                 \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t && descriptor_position(fd)) {                                                                            \
            errno = error;                                                                                             \
            return -1;                                                                                                 \
        }                                                                                                              \
        if (t) {                                                                                                       \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
            before;                                                                                                    \
        }                                                                                                              \
        return NATIVE(name) arguments;                                                                                 \
    }
#define NOTHING (void)0
#define READS(from, size) access_read(from, size, HERE)
#define WRITES(to, size) access_write(to, size, HERE)

// ---- descriptors ----

USES_PLACE(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), ESPIPE, WRITES(to, size))
USES_PLACE(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), ESPIPE, WRITES(to, size))
USES_PLACE(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at), ESPIPE,
           READS(from, size))
USES_PLACE(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at), ESPIPE,
           READS(from, size))
USES_PLACE(int, ftruncate, (int fd, off_t size), (fd, size), EINVAL, NOTHING)
USES_PLACE(int, ftruncate64, (int fd, off64_t size), (fd, size), EINVAL, NOTHING)
USES_PLACE(int, fsync, (int fd), (fd), EINVAL, NOTHING)
USES_PLACE(int, fdatasync, (int fd), (fd), EINVAL, NOTHING)

static off64_t seek(struct thread *t, const char *name, int fd, off64_t at, int from, const void *pc)
{
    enum file_position known = t ? descriptor_position(fd) : POSITION_UNKNOWN;
    if (known == POSITION_ALWAYS_0)
        return 0;
    if (known == POSITION_NONE) {
        errno = ESPIPE;
        return -1;
    }
    if (t)
        outside(t, name, OUTSIDE_USES, pc);
    return NATIVE(lseek64)(fd, at, from);
}

PUBLIC off_t lseek(int fd, off_t at, int from)
{
    return seek(engine.running, "lseek", fd, at, from, HERE);
}

PUBLIC off64_t lseek64(int fd, off64_t at, int from)
{
    return seek(engine.running, "lseek64", fd, at, from, HERE);
}

// ---- streams ----

USES(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict file), (to, size, count, file),
     (stream_use(file, HERE), WRITES(to, size *count)))
USES(char *, fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file),
     (stream_use(file, HERE), WRITES(to, size > 0 ? (size_t)size : 0)))
USES(size_t, fread_unlocked, (void *restrict to, size_t size, size_t count, FILE *restrict file),
     (to, size, count, file), (stream_use_unlocked(file, HERE), WRITES(to, size *count)))
USES(char *, fgets_unlocked, (char *restrict to, int size, FILE *restrict file), (to, size, file),
     (stream_use_unlocked(file, HERE), WRITES(to, size > 0 ? (size_t)size : 0)))
USES(int, fgetc, (FILE * file), (file), stream_use(file, HERE))
USES(int, getc, (FILE * file), (file), stream_use(file, HERE))
USES(int, fgetc_unlocked, (FILE * file), (file), stream_use_unlocked(file, HERE))
USES(int, getc_unlocked, (FILE * file), (file), stream_use_unlocked(file, HERE))
USES(int, __uflow, (FILE * file), (file),
     stream_use_unlocked(file, HERE)) // what is made of it where the buffer is read
USES(int, getchar, (void), (), stream_use(stdin, HERE))
USES(int, getchar_unlocked, (void), (), stream_use_unlocked(stdin, HERE))
USES(int, ungetc, (int value, FILE *file), (value, file), stream_look(file, HERE))

// A line needs memory that there may not be, unless it has some already.
static bool line_finds_nothing(char *const *to, const size_t *size, const void *pc)
{
    if ((*to && *size) || !fault_strikes(FAULT_MALLOC, "getline", pc))
        return false;
    errno = ENOMEM;
    return true;
}

#define LINE(name, parameters, arguments)                                                                              \
    PUBLIC ssize_t name parameters                                                                                     \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t) {                                                                                                       \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
            stream_use(file, HERE);                                                                                    \
            WRITES(to, sizeof *to);                                                                                    \
            WRITES(size, sizeof *size);                                                                                \
        }                                                                                                              \
        return line_finds_nothing(to, size, HERE) ? -1 : NATIVE(name) arguments;                                       \
    }
LINE(getline, (char **restrict to, size_t *restrict size, FILE *restrict file), (to, size, file))
LINE(getdelim, (char **restrict to, size_t *restrict size, int end, FILE *restrict file), (to, size, end, file))
LINE(__getdelim, (char **restrict to, size_t *restrict size, int end, FILE *restrict file),
     (to, size, end, file)) // what <stdio.h> makes of getline
USES(int, fseeko, (FILE * file, off_t at, int from), (file, at, from), stream_use(file, HERE))
USES(int, fseeko64, (FILE * file, off64_t at, int from), (file, at, from), stream_use(file, HERE))
USES(off_t, ftello, (FILE * file), (file), stream_use(file, HERE))
USES(off64_t, ftello64, (FILE * file), (file), stream_use(file, HERE))
USES(int, fgetpos, (FILE *restrict file, fpos_t *restrict at), (file, at),
     (stream_use(file, HERE), WRITES(at, sizeof *at)))
USES(int, fsetpos, (FILE * file, const fpos_t *at), (file, at), (stream_use(file, HERE), READS(at, sizeof *at)))
USES(int, fseek, (FILE * file, long at, int from), (file, at, from), stream_use(file, HERE))
USES(long, ftell, (FILE * file), (file), stream_use(file, HERE))
USES(void, rewind, (FILE * file), (file), stream_use(file, HERE))
USES(int, fclose, (FILE * file), (file), (stream_close(file, HERE), memory_streams_close(file, HERE)))

// Of the standard output nothing is ever written by the C library, so nothing happens to these.
#define ASKS(result, name, look)                                                                                       \
    PUBLIC result name(FILE *file)                                                                                     \
    {                                                                                                                  \
        struct thread *t = engine.running;                                                                             \
        if (t && file != stdout && file != stderr) {                                                                   \
            outside(t, #name, OUTSIDE_USES, HERE);                                                                     \
            look(file, HERE);                                                                                          \
        }                                                                                                              \
        return NATIVE(name)(file);                                                                                     \
    }
ASKS(int, feof, stream_look)
ASKS(int, ferror, stream_look)
ASKS(void, clearerr, stream_look)
ASKS(int, feof_unlocked, stream_look_unlocked)
ASKS(int, ferror_unlocked, stream_look_unlocked)
ASKS(void, clearerr_unlocked, stream_look_unlocked)

// The number of its descriptor tells nothing that changes.
#define NUMBER(name, look)                                                                                             \
    PUBLIC int name(FILE *file)                                                                                        \
    {                                                                                                                  \
        if (engine.running && file != stdout && file != stderr)                                                        \
            look(file, HERE);                                                                                          \
        return NATIVE(name)(file);                                                                                     \
    }
NUMBER(fileno, stream_look)
NUMBER(fileno_unlocked, stream_look_unlocked)
