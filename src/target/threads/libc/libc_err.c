// Messages of <err.h>, in front of libc's own: they are output like any other, and their end is the program's.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/public.h"

enum { NO_ERROR = -1 };

// `number`: what errno was, or NO_ERROR if nothing is to be said of it.
static void libc_err_say(int number, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", program_invocation_short_name);
    if (format)
        vfprintf(stderr, format, arguments);
    if (number != NO_ERROR)
        fprintf(stderr, "%s%s", format ? ": " : "", strerror(number));
    fputc('\n', stderr);
}

static _Noreturn void libc_err_leave(int status, const void *pc)
{
    if (pc)
        exits_leave(engine.running, status, pc);
    exit(status);
}

PUBLIC void vwarn(const char *format, va_list arguments)
{
    libc_err_say(errno, format, arguments);
}

PUBLIC void vwarnx(const char *format, va_list arguments)
{
    libc_err_say(NO_ERROR, format, arguments);
}

PUBLIC void verr(int status, const char *format, va_list arguments)
{
    libc_err_say(errno, format, arguments);
    libc_err_leave(status, CALLER());
}

PUBLIC void verrx(int status, const char *format, va_list arguments)
{
    libc_err_say(NO_ERROR, format, arguments);
    libc_err_leave(status, CALLER());
}

#define SAYS(number)                                                                                                   \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    libc_err_say(number, format, arguments);                                                                           \
    va_end(arguments)

PUBLIC void warn(const char *format, ...)
{
    SAYS(errno);
}

PUBLIC void warnx(const char *format, ...)
{
    SAYS(NO_ERROR);
}

PUBLIC void err(int status, const char *format, ...)
{
    SAYS(errno);
    libc_err_leave(status, CALLER());
}

PUBLIC void errx(int status, const char *format, ...)
{
    SAYS(NO_ERROR);
    libc_err_leave(status, CALLER());
}
