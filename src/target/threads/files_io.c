// Input and output by descriptors and streams that were opened before. What goes to standard output and standard error is
// the engine's affair.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif
#include <stdarg.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/threads/native.h"
#include "target/threads/outside.h"
#include "target/threads/public.h"

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
#define NOTHING (void)0
#define READS(from, size) access_read(from, size, HERE)
#define WRITES(to, size) access_write(to, size, HERE)

// ---- descriptors ----

USES(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), WRITES(to, size))
USES(ssize_t, pread64, (int fd, void *to, size_t size, off64_t at), (fd, to, size, at), WRITES(to, size))
USES(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at), READS(from, size))
USES(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at), (fd, from, size, at), READS(from, size))
USES(off_t, lseek, (int fd, off_t at, int from), (fd, at, from), NOTHING)
USES(off64_t, lseek64, (int fd, off64_t at, int from), (fd, at, from), NOTHING)
USES(int, ftruncate, (int fd, off_t size), (fd, size), NOTHING)
USES(int, ftruncate64, (int fd, off64_t size), (fd, size), NOTHING)
USES(int, fsync, (int fd), (fd), NOTHING)
USES(int, fdatasync, (int fd), (fd), NOTHING)

// ---- streams ----

USES(size_t, fread, (void *restrict to, size_t size, size_t count, FILE *restrict file), (to, size, count, file),
     WRITES(to, size *count))
USES(char *, fgets, (char *restrict to, int size, FILE *restrict file), (to, size, file),
     WRITES(to, size > 0 ? (size_t)size : 0))
USES(int, fgetc, (FILE * file), (file), NOTHING)
USES(int, getc, (FILE * file), (file), NOTHING)
USES(int, ungetc, (int value, FILE *file), (value, file), NOTHING)
USES(ssize_t, getline, (char **restrict to, size_t *restrict size, FILE *restrict file), (to, size, file),
     (WRITES(to, sizeof *to), WRITES(size, sizeof *size)))
USES(int, fseek, (FILE * file, long at, int from), (file, at, from), NOTHING)
USES(long, ftell, (FILE * file), (file), NOTHING)
USES(void, rewind, (FILE * file), (file), NOTHING)
USES(int, fclose, (FILE * file), (file), NOTHING)

#define SCANS(name, in_libc, parameters, last, ...)                                                                    \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        if (engine.running)                                                                                            \
            outside(engine.running, "fscanf", OUTSIDE_USES, HERE);                                                     \
        va_list rest;                                                                                                  \
        va_start(rest, last);                                                                                          \
        int result = NATIVE(in_libc)(__VA_ARGS__, rest);                                                               \
        va_end(rest);                                                                                                  \
        return result;                                                                                                 \
    }
// The header calls it by the name that today's programs have for it, __isoc99_fscanf.
int __isoc99_vfscanf(FILE *file, const char *format, va_list rest);
SCANS(fscanf, __isoc99_vfscanf, (FILE *restrict file, const char *restrict format, ...), format, file, format)
