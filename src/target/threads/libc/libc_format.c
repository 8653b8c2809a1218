#define _GNU_SOURCE
#include "target/threads/libc/libc_format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/public.h"

struct conversion {
    bool wide, longest; // of type long or more; long double
    bool tiny, small;   // %hhn, %hn
    bool by_position;   // %2$s
    int precision;
    char letter;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_one_of(char c, const char *set)
{
    while (*set && *set != c)
        set++;
    return *set != 0;
}

// A width or a precision; `*` is an argument.
static const char *read_number(const char *at, va_list *rest, int *number)
{
    *number = 0;
    if (*at == '*') {
        *number = va_arg(*rest, int);
        return at + 1;
    }
    for (; is_digit(*at); at++)
        *number = *number < INT_MAX / 10 ? *number * 10 + (*at - '0') : INT_MAX;
    return at;
}

static const char *read_length(const char *at, struct conversion *c)
{
    for (;; at++) {
        if (*at == 'h') {
            c->tiny = c->small;
            c->small = true;
        } else if (is_one_of(*at, "lqjztZ")) {
            c->wide = true;
        } else if (*at == 'L') {
            c->longest = c->wide = true;
        } else {
            return at;
        }
    }
}

// Behind the per cent sign.
static const char *read_conversion(const char *at, va_list *rest, struct conversion *c)
{
    int width;
    *c = (struct conversion){.precision = INT_MAX};
    const char *digits = at;
    while (is_digit(*digits))
        digits++;
    c->by_position = digits > at && *digits == '$';
    while (*at && is_one_of(*at, "-+ #0'I"))
        at++;
    at = read_number(at, rest, &width);
    if (*at == '.') {
        at = read_number(at + 1, rest, &c->precision);
        c->precision = c->precision < 0 ? INT_MAX : c->precision;
    }
    at = read_length(at, c);
    c->letter = *at;
    return *at ? at + 1 : at;
}

static void report_wide(const wchar_t *text, int most, const void *pc)
{
    for (int i = 0; i < most; i++) {
        access_read(&text[i], sizeof *text, pc);
        if (!text[i])
            return;
    }
}

static void report_text(const struct conversion *c, const void *text, const void *pc)
{
    if (text && (c->wide || c->letter == 'S'))
        report_wide(text, c->precision, pc);
    else if (text)
        reported_length(text, (size_t)c->precision, pc);
}

static void report_argument(const struct conversion *c, va_list *rest, const void *pc)
{
    if (is_one_of(c->letter, "%m"))
        return;
    if (is_one_of(c->letter, "aAeEfFgG")) {
        if (c->longest) // NOLINT(bugprone-branch-clone): the types differ
            (void)va_arg(*rest, long double);
        else
            (void)va_arg(*rest, double);
        return;
    }
    uint64_t argument = va_arg(*rest, uint64_t); // smaller numbers take as much room
    if (c->letter == 's' || c->letter == 'S')
        report_text(c, (const void *)(uintptr_t)argument, pc);
    else if (c->letter == 'n')
        access_write((void *)(uintptr_t)argument, c->wide ? 8 : c->tiny ? 1 : c->small ? 2 : 4, pc);
}

void format_report(const char *format, va_list arguments, const void *pc)
{
    va_list rest;
    if (!pc)
        return;
    va_copy(rest, arguments);
    while (*format) {
        struct conversion c;
        if (*format++ != '%')
            continue;
        format = read_conversion(format, &rest, &c);
        if (c.by_position) {
            library_call_missed("printf with arguments by their positions (%1$s)", pc);
            break;
        }
        report_argument(&c, &rest, pc);
    }
    va_end(rest);
}
