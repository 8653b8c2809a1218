// Numbers from text, in front of libc's own: under control they report what they read and where they say that they
// stopped.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>

#include "target/threads/libc/public.h"

#define TO_LIBC(X) X(strtol) X(strtoul) X(strtoll) X(strtoull) X(strtof) X(strtod) X(strtold)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_strtold) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

// A number is read up to the first byte that does not belong to it. The report may switch threads, and the text may be
// another one then: the number is that of the text after it.
static void report_number(const char *text, const char *end, char **store, const void *pc)
{
    access_read(text, (size_t)(end - text) + 1, pc);
    if (store)
        access_write(store, sizeof *store, pc);
}

#define WHOLE_NUMBER(type, name)                                                                                       \
    PUBLIC type name(const char *restrict text, char **restrict end, int base)                                         \
    {                                                                                                                  \
        const void *pc = CALLER();                                                                                     \
        if (pc) {                                                                                                      \
            char *stop = (char *)text;                                                                                 \
            LIBC(name)(text, &stop, base);                                                                             \
            report_number(text, stop, end, pc);                                                                        \
        }                                                                                                              \
        return LIBC(name)(text, end, base);                                                                            \
    }

#define DECIMAL_NUMBER(type, name)                                                                                     \
    PUBLIC type name(const char *restrict text, char **restrict end)                                                   \
    {                                                                                                                  \
        const void *pc = CALLER();                                                                                     \
        if (pc) {                                                                                                      \
            char *stop = (char *)text;                                                                                 \
            LIBC(name)(text, &stop);                                                                                   \
            report_number(text, stop, end, pc);                                                                        \
        }                                                                                                              \
        return LIBC(name)(text, end);                                                                                  \
    }

WHOLE_NUMBER(long, strtol)
WHOLE_NUMBER(unsigned long, strtoul)
WHOLE_NUMBER(long long, strtoll)
WHOLE_NUMBER(unsigned long long, strtoull)
ALSO(strtoimax, strtol);
ALSO(strtoumax, strtoul);
ALSO(strtoq, strtoll);
ALSO(strtouq, strtoull);
DECIMAL_NUMBER(float, strtof)
DECIMAL_NUMBER(double, strtod)
DECIMAL_NUMBER(long double, strtold)

#define FROM_TEXT(type, name, call)                                                                                    \
    PUBLIC type name(const char *text)                                                                                 \
    {                                                                                                                  \
        const void *pc = CALLER();                                                                                     \
        char *stop = (char *)text;                                                                                     \
        type number = (type)call;                                                                                      \
        if (!pc)                                                                                                       \
            return number;                                                                                             \
        report_number(text, stop, NULL, pc);                                                                           \
        return (type)call;                                                                                             \
    }
FROM_TEXT(int, atoi, LIBC(strtol)(text, &stop, 10))
FROM_TEXT(long, atol, LIBC(strtol)(text, &stop, 10))
FROM_TEXT(long long, atoll, LIBC(strtoll)(text, &stop, 10))
FROM_TEXT(double, atof, LIBC(strtod)(text, &stop))
