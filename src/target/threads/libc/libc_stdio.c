// What libc prints and formats, in front of libc's own functions.
//
// Under control, what goes to stdout or stderr is handed to output_write at once and libc's FILE stays as it is, so
// that nothing of it has to be put back at a restart; text formatted into the program's memory is reported as written.
// Other files, and everything while not under control, are libc's.
//
// Formatting goes through one buffer of the engine. A report may switch threads, and they format too: so what is to be
// copied out of the buffer is formatted again after the report.

#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ // or bits/stdio.h defines some of these functions
#endif
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_format.h"
#include "target/threads/libc/output.h"
#include "target/threads/libc/public.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/pthread/pthread_room.h"

// libc's names for the fortified calls: flag is above 0 if %n in writable memory has to be refused, and room is the
// size of the target.
int __printf_chk(int flag, const char *format, ...);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __dprintf_chk(int fd, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list arguments);
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments);
int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...);
int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments);
int __asprintf_chk(char **to, int flag, const char *format, ...);
int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments);
_Noreturn void __chk_fail(void);

#define TO_LIBC(X)                                                                                                     \
    X(__vfprintf_chk)                                                                                                  \
    X(__vdprintf_chk)                                                                                                  \
    X(__vsnprintf_chk)                                                                                                 \
    X(__vasprintf_chk)                                                                                                 \
    X(fputs)                                                                                                           \
    X(fputs_unlocked)                                                                                                  \
    X(puts)                                                                                                            \
    X(fputc)                                                                                                           \
    X(fputc_unlocked)                                                                                                  \
    X(fwrite)                                                                                                          \
    X(fwrite_unlocked)                                                                                                 \
    X(fflush)                                                                                                          \
    X(fflush_unlocked)                                                                                                 \
    X(perror)                                                                                                          \
    X(setvbuf)

TO_LIBC(NEXT_POINTER)

// At load, so that no search happens in the first execution only; earlier if another library's start-up prints.
static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_setvbuf) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

enum { FIRST_SIZE = 1 << 16 };

static struct {
    char first[FIRST_SIZE];
} buffer;

static PROCESS_STATE struct {
    char *text; // used instead if not null
    size_t size;
} grown;

static char *buffer_text(void)
{
    return grown.text ? grown.text : buffer.first;
}

static bool buffer_grow(size_t size)
{
    size = (size + FIRST_SIZE - 1) & ~(size_t)(FIRST_SIZE - 1);
    void *more = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED)
        return false;
    if (grown.text)
        munmap(grown.text, grown.size);
    grown.text = more;
    grown.size = size;
    return true;
}

// Formats into the buffer, whole. Its length, or -1.
static int format_whole(int flag, const char *format, va_list arguments)
{
    for (;;) {
        size_t size = grown.text ? grown.size : FIRST_SIZE;
        va_list copy;
        va_copy(copy, arguments);
        int length = LIBC(__vsnprintf_chk)(buffer_text(), size, flag, size, format, copy);
        va_end(copy);
        if (length < 0 || (size_t)length < size)
            return length;
        if (!buffer_grow((size_t)length + 1)) {
            errno = ENOMEM;
            return -1;
        }
    }
}

// The descriptor of the file if its output is the engine's affair, else -1. (A stream that was closed or reopened
// elsewhere is libc's.)
static int captured(FILE *file)
{
    if (file != stdout && file != stderr)
        return -1;
    int fd = fileno_unlocked(file);
    return output_is_standard(fd) ? fd : -1;
}

// ---- formatted output ----

static int libc_stdio_print(int fd, int flag, const char *format, va_list arguments)
{
    int length = format_whole(flag, format, arguments);
    if (length > 0)
        output_write(fd, buffer_text(), (size_t)length);
    return length;
}

static int print_file(FILE *file, int flag, const char *format, va_list arguments, const void *pc)
{
    int fd = pc ? captured(file) : -1;
    format_report(format, arguments, pc);
    if (pc && fd < 0)
        output_elsewhere("fprintf", pc);
    if (pc)
        stream_use(file, pc);
    return fd >= 0 ? libc_stdio_print(fd, flag, format, arguments)
                   : LIBC(__vfprintf_chk)(file, flag, format, arguments);
}

static int print_descriptor(int fd, int flag, const char *format, va_list arguments, const void *pc)
{
    int length = format_whole(flag, format, arguments);
    if (length > MOST_PRINTED)
        refuse(engine.running, "dprintf with more than 4096 bytes to a pipe or socket", "use snprintf and write");
    char text[MOST_PRINTED]; // the buffer may be used by other threads meanwhile
    plain_move(text, buffer_text(), length > 0 ? (size_t)length : 0);
    return length <= 0 || descriptor_print(fd, text, (size_t)length, pc) ? length : -1;
}

static int print_fd(int fd, int flag, const char *format, va_list arguments, const void *pc)
{
    format_report(format, arguments, pc);
    if (pc && output_is_standard(fd))
        return libc_stdio_print(fd, flag, format, arguments);
    if (pc && is_descriptor(fd))
        return print_descriptor(fd, flag, format, arguments, pc);
    if (pc)
        output_elsewhere("dprintf", pc);
    return LIBC(__vdprintf_chk)(fd, flag, format, arguments);
}

// `result` from a call on the arguments after `last`.
#define WITH_ARGUMENTS(last, call)                                                                                     \
    va_list arguments;                                                                                                 \
    va_start(arguments, last);                                                                                         \
    int result = call;                                                                                                 \
    va_end(arguments);                                                                                                 \
    return result

PUBLIC int printf(const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print_file(stdout, 0, format, arguments, CALLER()));
}

PUBLIC int __printf_chk(int flag, const char *format, ...)
{
    WITH_ARGUMENTS(format, print_file(stdout, flag, format, arguments, CALLER()));
}

PUBLIC int fprintf(FILE *restrict file, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print_file(file, 0, format, arguments, CALLER()));
}

PUBLIC int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(format, print_file(file, flag, format, arguments, CALLER()));
}

PUBLIC int dprintf(int fd, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, print_fd(fd, 0, format, arguments, CALLER()));
}

PUBLIC int __dprintf_chk(int fd, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(format, print_fd(fd, flag, format, arguments, CALLER()));
}

PUBLIC int vprintf(const char *restrict format, va_list arguments)
{
    return print_file(stdout, 0, format, arguments, CALLER());
}

PUBLIC int __vprintf_chk(int flag, const char *format, va_list arguments)
{
    return print_file(stdout, flag, format, arguments, CALLER());
}

PUBLIC int vfprintf(FILE *restrict file, const char *restrict format, va_list arguments)
{
    return print_file(file, 0, format, arguments, CALLER());
}

PUBLIC int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments)
{
    return print_file(file, flag, format, arguments, CALLER());
}

PUBLIC int vdprintf(int fd, const char *restrict format, va_list arguments)
{
    return print_fd(fd, 0, format, arguments, CALLER());
}

PUBLIC int __vdprintf_chk(int fd, int flag, const char *format, va_list arguments)
{
    return print_fd(fd, flag, format, arguments, CALLER());
}

// ---- other output ----

PUBLIC int puts(const char *text)
{
    const void *pc = CALLER();
    int fd = pc ? captured(stdout) : -1;
    if (pc && fd < 0)
        output_elsewhere("puts", pc);
    if (pc)
        stream_use(stdout, pc);
    // A line of its own unless it does not fit: two writes could be parted by another thread's.
    size_t length = pc ? reported_length(text, SIZE_MAX, pc) : 0;
    if (fd < 0)
        return LIBC(puts)(text);
    if (length < FIRST_SIZE) {
        plain_move(buffer_text(), text, length);
        buffer_text()[length] = '\n';
        output_write(fd, buffer_text(), length + 1);
    } else {
        output_write(fd, text, length);
        output_write(fd, "\n", 1);
    }
    return length < INT_MAX ? (int)length + 1 : INT_MAX;
}

// How a call uses its stream: those whose names end in _unlocked leave it to the caller to lock it.
typedef void stream_used(FILE *stream, const void *pc);

static int put_text(const char *text, FILE *file, __typeof__(fputs) *in_libc, stream_used *use, const void *pc)
{
    int fd = pc ? captured(file) : -1;
    if (pc && fd < 0)
        output_elsewhere("fputs", pc);
    if (pc)
        use(file, pc);
    size_t length = pc ? reported_length(text, SIZE_MAX, pc) : 0;
    if (fd < 0)
        return in_libc(text, file);
    if (length)
        output_write(fd, text, length);
    return 1;
}

PUBLIC int fputs(const char *restrict text, FILE *restrict file)
{
    return put_text(text, file, LIBC(fputs), stream_use, CALLER());
}

PUBLIC int fputs_unlocked(const char *restrict text, FILE *restrict file)
{
    return put_text(text, file, LIBC(fputs_unlocked), stream_use_unlocked, CALLER());
}

static int put_byte(int value, FILE *file, __typeof__(fputc) *in_libc, stream_used *use, const void *pc)
{
    int fd = pc ? captured(file) : -1;
    char text = (char)value;
    if (pc && fd < 0)
        output_elsewhere("fputc", pc);
    if (pc)
        use(file, pc);
    if (fd < 0)
        return in_libc(value, file);
    output_write(fd, &text, 1);
    return (unsigned char)value;
}

PUBLIC int fputc(int value, FILE *file)
{
    return put_byte(value, file, LIBC(fputc), stream_use, CALLER());
}

PUBLIC int putc(int value, FILE *file)
{
    return put_byte(value, file, LIBC(fputc), stream_use, CALLER());
}

PUBLIC int _IO_putc(int value, FILE *file)
{
    return put_byte(value, file, LIBC(fputc), stream_use, CALLER());
}

PUBLIC int putchar(int value)
{
    return put_byte(value, stdout, LIBC(fputc), stream_use, CALLER());
}

PUBLIC int fputc_unlocked(int value, FILE *file)
{
    return put_byte(value, file, LIBC(fputc_unlocked), stream_use_unlocked, CALLER());
}

PUBLIC int putc_unlocked(int value, FILE *file)
{
    return put_byte(value, file, LIBC(fputc_unlocked), stream_use_unlocked, CALLER());
}

PUBLIC int putchar_unlocked(int value)
{
    return put_byte(value, stdout, LIBC(fputc_unlocked), stream_use_unlocked, CALLER());
}

// What compilers make of putc_unlocked where the buffer is full, or there is none.
PUBLIC int __overflow(FILE *file, int value)
{
    return put_byte(value, file, LIBC(fputc_unlocked), stream_use_unlocked, CALLER());
}

static size_t put_items(const void *start, size_t size, size_t count, FILE *file, __typeof__(fwrite) *in_libc,
                        stream_used *use, const void *pc)
{
    int fd = pc ? captured(file) : -1;
    if (pc && fd < 0)
        output_elsewhere("fwrite", pc);
    if (pc) {
        use(file, pc);
        access_read(start, size * count, pc);
    }
    if (fd < 0)
        return in_libc(start, size, count, file);
    if (!size || !count)
        return 0;
    output_write(fd, start, size * count);
    return count;
}

PUBLIC size_t fwrite(const void *restrict start, size_t size, size_t count, FILE *restrict file)
{
    return put_items(start, size, count, file, LIBC(fwrite), stream_use, CALLER());
}

PUBLIC size_t fwrite_unlocked(const void *restrict start, size_t size, size_t count, FILE *restrict file)
{
    return put_items(start, size, count, file, LIBC(fwrite_unlocked), stream_use_unlocked, CALLER());
}

static int print_plainly(int fd, const char *format, ...)
{
    WITH_ARGUMENTS(format, libc_stdio_print(fd, 0, format, arguments));
}

PUBLIC void perror(const char *what)
{
    const void *pc = CALLER();
    int error = errno, fd = pc ? captured(stderr) : -1;
    if (fd < 0) {
        LIBC(perror)(what);
        return;
    }
    stream_use(stderr, pc);
    bool named = what && reported_length(what, SIZE_MAX, pc);
    char unknown[64];
    print_plainly(fd, "%s%s%s\n", named ? what : "", named ? ": " : "", strerror_r(error, unknown, sizeof unknown));
    errno = error;
}

// There is nothing to flush and no buffering to choose in a stream whose output is taken at once.
static int libc_stdio_flush(FILE *file, __typeof__(fflush) *in_libc, stream_used *use, const void *pc)
{
    if (pc && file)
        use(file, pc);
    else if (pc)
        stream_use_all(pc);
    if (pc && file && captured(file) >= 0)
        return 0;
    if (pc && (file || output_may_be_elsewhere())) {
        output_elsewhere("fflush", pc);
        memory_streams_flush(file, pc);
    }
    return in_libc(file);
}

PUBLIC int fflush(FILE *file)
{
    return libc_stdio_flush(file, LIBC(fflush), stream_use, CALLER());
}

PUBLIC int fflush_unlocked(FILE *file)
{
    return libc_stdio_flush(file, LIBC(fflush_unlocked), stream_use_unlocked, CALLER());
}

PUBLIC int setvbuf(FILE *restrict file, char *restrict space, int mode, size_t size)
{
    if (under_control())
        stream_look(file, CALLER());
    if (under_control() && captured(file) >= 0)
        return mode == _IOFBF || mode == _IOLBF || mode == _IONBF ? 0 : -1;
    return LIBC(setvbuf)(file, space, mode, size);
}

PUBLIC void setbuffer(FILE *restrict file, char *restrict space, size_t size)
{
    setvbuf(file, space, space ? _IOFBF : _IONBF, size);
}

PUBLIC void setbuf(FILE *restrict file, char *restrict space)
{
    setbuffer(file, space, BUFSIZ);
}

PUBLIC void setlinebuf(FILE *file)
{
    setvbuf(file, NULL, _IOLBF, 0);
}

// ---- formatting into the program's memory ----

static int format_into(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments,
                       const void *pc)
{
    if (size > room)
        __chk_fail();
    if (!pc)
        return LIBC(__vsnprintf_chk)(to, size, flag, room, format, arguments);
    size_t reported = 0;
    format_report(format, arguments, pc);
    for (;;) {
        int length = format_whole(flag, format, arguments);
        size_t used = length < 0 ? 0 : (size_t)length + 1;
        if (used > size)
            used = size;
        if (used <= reported) {
            if (used) {
                plain_move(to, buffer_text(), used - 1);
                to[used - 1] = 0;
            }
            return length;
        }
        access_write(to + reported, used - reported, pc);
        reported = used;
    }
}

// Without a size the text has to fit `room`.
static int format_unbounded(char *to, int flag, size_t room, const char *format, va_list arguments, const void *pc)
{
    size_t size = room <= INT_MAX ? room : INT_MAX;
    int length = format_into(to, size, flag, SIZE_MAX, format, arguments, pc);
    if (length >= 0 && (size_t)length >= room)
        __chk_fail();
    return length;
}

static int format_allocated(char **to, int flag, const char *format, va_list arguments, const void *pc)
{
    if (!pc)
        return LIBC(__vasprintf_chk)(to, flag, format, arguments);
    char *made = NULL;
    int length, had = -1;
    format_report(format, arguments, pc);
    if (fault_strikes(FAULT_MALLOC, "asprintf", pc)) {
        errno = ENOMEM;
        return -1;
    }
    while ((length = format_whole(flag, format, arguments)) > had) {
        free(made); // longer than before the switch
        made = malloc((size_t)length + 1);
        if (!made)
            return -1;
        access_write(made, (size_t)length + 1, pc);
        access_write(to, sizeof *to, pc);
        had = length;
    }
    if (length < 0) {
        free(made);
        return -1;
    }
    plain_move(made, buffer_text(), (size_t)length + 1);
    *to = made;
    return length;
}

PUBLIC int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    return format_into(to, size, 0, SIZE_MAX, format, arguments, CALLER());
}

PUBLIC int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list arguments)
{
    return format_into(to, size, flag, room, format, arguments, CALLER());
}

PUBLIC int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, format_into(to, size, 0, SIZE_MAX, format, arguments, CALLER()));
}

PUBLIC int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    WITH_ARGUMENTS(format, format_into(to, size, flag, room, format, arguments, CALLER()));
}

PUBLIC int vsprintf(char *restrict to, const char *restrict format, va_list arguments)
{
    return format_unbounded(to, 0, SIZE_MAX, format, arguments, CALLER());
}

PUBLIC int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list arguments)
{
    return format_unbounded(to, flag, room, format, arguments, CALLER());
}

PUBLIC int sprintf(char *restrict to, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, format_unbounded(to, 0, SIZE_MAX, format, arguments, CALLER()));
}

PUBLIC int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    WITH_ARGUMENTS(format, format_unbounded(to, flag, room, format, arguments, CALLER()));
}

PUBLIC int vasprintf(char **restrict to, const char *restrict format, va_list arguments)
{
    return format_allocated(to, 0, format, arguments, CALLER());
}

PUBLIC int __vasprintf_chk(char **to, int flag, const char *format, va_list arguments)
{
    return format_allocated(to, flag, format, arguments, CALLER());
}

PUBLIC int asprintf(char **restrict to, const char *restrict format, ...)
{
    WITH_ARGUMENTS(format, format_allocated(to, 0, format, arguments, CALLER()));
}

PUBLIC int __asprintf_chk(char **to, int flag, const char *format, ...)
{
    WITH_ARGUMENTS(format, format_allocated(to, flag, format, arguments, CALLER()));
}
