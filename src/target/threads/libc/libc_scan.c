// scanf and the like, in front of libc's own. Which arguments are written, and how much of them, is known only afterwards: so a
// text is scanned into memory of heddle's first. Of a file that cannot be done; there, each execution is a process of its own and
// nothing has to be kept before it is overwritten, so that it is reported afterwards.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/output.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/libc/public.h"

enum { MOST = 32, ROOM = 1 << 16 };

struct scanned {
    void *program;
    size_t size; // 0: a text
    bool broad;
    bool counts; // %n, which is no success by itself
};

struct scan {
    struct scanned target[MOST];
    uint32_t count;
    bool strange; // something that is not followed
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Behind `[`.
static const char *skip_set(const char *at)
{
    at += *at == '^';
    at += *at == ']';
    while (*at && *at != ']')
        at++;
    return *at ? at + 1 : at;
}

static size_t libc_scan_size_of(char letter, int halves, int longs, bool longest)
{
    switch (letter) {
    case 'p':
        return sizeof(void *);
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G':
        return longest ? sizeof(long double) : longs ? sizeof(double) : sizeof(float);
    default:
        return longs || longest ? 8 : halves == 2 ? 1 : halves ? 2 : 4;
    }
}

// Behind the per cent sign.
static const char *read_conversion(const char *at, struct scan *s, va_list *rest)
{
    bool ignored = *at == '*', longest = false;
    int halves = 0, longs = 0;
    size_t width = 0; // of %c
    for (at += ignored; is_digit(*at); at++)
        width = width * 10 + (size_t)(*at - '0');
    for (;; at++) {
        if (*at == 'h')
            halves++;
        else if (*at == 'l' || *at == 'j' || *at == 'z' || *at == 't' || *at == 'q')
            longs++;
        else if (*at == 'L')
            longest = true;
        else
            break;
    }
    s->strange |= *at == '$' || *at == 'm' || *at == '\'' || *at == 'I' || s->count == MOST;
    char letter = *at ? *at++ : 0;
    if (letter == '[')
        at = skip_set(at);
    if (!letter || letter == '%' || ignored || s->strange)
        return at;
    bool broad = letter == 'S' || letter == 'C' || (longs && (letter == 's' || letter == 'c' || letter == '['));
    bool text = letter == 's' || letter == 'S' || letter == '[';
    bool bytes = letter == 'c' || letter == 'C';
    s->target[s->count++] = (struct scanned){.program = va_arg(*rest, void *),
                                             .size = text    ? 0
                                                     : bytes ? (width ? width : 1) * (broad ? sizeof(wchar_t) : 1)
                                                             : libc_scan_size_of(letter, halves, longs, longest),
                                             .broad = broad,
                                             .counts = letter == 'n'};
    return at;
}

static void read_format(const char *format, struct scan *s, va_list arguments)
{
    va_list rest;
    va_copy(rest, arguments);
    while (*format && !s->strange)
        if (*format++ == '%')
            format = read_conversion(format, s, &rest);
    va_end(rest);
}

static size_t text_size(const struct scanned *target, const void *found)
{
    return target->broad ? (wcslen(found) + 1) * sizeof(wchar_t) : plain_length(found, SIZE_MAX) + 1;
}

// What the first `done` conversions write, and those %n that stand among them; `found` is where they did, or did for a try.
static void libc_scan_report(const struct scan *s, int done, void *const *found, const void *pc)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct scanned *target = &s->target[i];
        if (!target->counts && done-- <= 0)
            return;
        access_write(target->program, target->size ? target->size : text_size(target, found[i]), pc);
    }
}

// The names that today's programs have for them.
int __isoc99_vsscanf(const char *text, const char *format, va_list rest);
int __isoc99_vfscanf(FILE *file, const char *format, va_list rest);

// What a va_list is. This one has pointers that stand in memory, none of them in registers.
struct pointers {
    uint32_t general, floating;
    void **memory, *registers;
};

static int scan_into(const char *text, const char *format, void **pointers)
{
    enum { GENERAL = 48, FLOATING = 176 }; // all registers are used up
    struct pointers list = {GENERAL, FLOATING, pointers, NULL};
    int (*scan)(const char *, const char *, struct pointers *) =
        (int (*)(const char *, const char *, struct pointers *))(uintptr_t)NATIVE(__isoc99_vsscanf);
    return scan(text, format, &list);
}

// Tries it, to report what will be written.
static void report_text(const char *text, const char *format, va_list arguments, const void *pc)
{
    struct scan s = {0};
    void *found[MOST];
    size_t length = reported_length(text, SIZE_MAX, pc), space = 0;
    read_format(format, &s, arguments);
    size_t longest = (length + 1) * sizeof(wchar_t);
    for (uint32_t i = 0; i < s.count; i++)
        space += s.target[i].size ? s.target[i].size + 16 : longest + 16;
    if (s.strange || space > ROOM) {
        library_call_missed("sscanf with %m, a position, or a very long text", pc);
        return;
    }
    byte *at = __builtin_alloca(space + 1);
    for (uint32_t i = 0; i < s.count; i++) {
        found[i] = at;
        at += ((s.target[i].size ? s.target[i].size : longest) + 15) & ~(size_t)15;
    }
    libc_scan_report(&s, scan_into(text, format, found), found, pc);
}

static int scan_text(const char *text, const char *format, va_list arguments, const void *pc)
{
    if (pc)
        report_text(text, format, arguments, pc);
    return NATIVE(__isoc99_vsscanf)(text, format, arguments);
}

static int scan_file(FILE *file, const char *format, va_list arguments, const void *pc)
{
    struct scan s = {0};
    void *found[MOST];
    if (!pc)
        return NATIVE(__isoc99_vfscanf)(file, format, arguments);
    outside(engine.running, "fscanf", OUTSIDE_USES, pc);
    stream_use(file, pc);
    read_format(format, &s, arguments);
    if (s.strange)
        library_call_missed("fscanf with %m or a position", pc);
    int done = NATIVE(__isoc99_vfscanf)(file, format, arguments);
    for (uint32_t i = 0; i < s.count; i++)
        found[i] = s.target[i].program;
    if (!s.strange)
        libc_scan_report(&s, done, found, pc);
    return done;
}

#define SCANS(name, parameters, call)                                                                                  \
    PUBLIC int name parameters                                                                                         \
    {                                                                                                                  \
        const void *pc = CALLER();                                                                                     \
        va_list rest;                                                                                                  \
        va_start(rest, format);                                                                                        \
        int result = call;                                                                                             \
        va_end(rest);                                                                                                  \
        return result;                                                                                                 \
    }
// The header calls them by the names that today's programs have for them, __isoc99_sscanf and so on.
SCANS(sscanf, (const char *restrict text, const char *restrict format, ...), scan_text(text, format, rest, pc))
SCANS(fscanf, (FILE *restrict file, const char *restrict format, ...), scan_file(file, format, rest, pc))
SCANS(scanf, (const char *restrict format, ...), scan_file(stdin, format, rest, pc))

PUBLIC int vsscanf(const char *restrict text, const char *restrict format, va_list rest)
{
    return scan_text(text, format, rest, CALLER());
}

PUBLIC int vfscanf(FILE *restrict file, const char *restrict format, va_list rest)
{
    return scan_file(file, format, rest, CALLER());
}

PUBLIC int vscanf(const char *restrict format, va_list rest)
{
    return scan_file(stdin, format, rest, CALLER());
}
