// Functions on wide characters that read or write as much as they find, in front of libc's own: what they touch is announced, then
// they are the C library's. Those whose accesses follow from their arguments are in library_table.c.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <stdlib.h>
#include <wchar.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/public.h"
#include "target/threads/pthread/pthread_room.h"

// Its length, at most `most`; all of it and its end have been read.
static size_t read_text(const wchar_t *text, size_t most, const void *pc)
{
    size_t n = 0;
    for (; n < most; n++) {
        access_read(text + n, sizeof *text, pc);
        if (!text[n])
            break;
    }
    return n;
}

static void write_text(wchar_t *to, size_t count, const void *pc)
{
    if (count)
        access_write(to, count * sizeof *to, pc);
}

#define WIDE(result, name, parameters, arguments, ...)                                                                 \
    PUBLIC result name parameters                                                                                      \
    {                                                                                                                  \
        if (engine.running) {                                                                                          \
            const void *pc = HERE;                                                                                     \
            __VA_ARGS__;                                                                                               \
        }                                                                                                              \
        return NATIVE(name) arguments;                                                                                 \
    }

WIDE(wchar_t *, wcscpy, (wchar_t *restrict to, const wchar_t *restrict from), (to, from),
     write_text(to, read_text(from, SIZE_MAX, pc) + 1, pc))
WIDE(wchar_t *, wcpcpy, (wchar_t *restrict to, const wchar_t *restrict from), (to, from),
     write_text(to, read_text(from, SIZE_MAX, pc) + 1, pc))
WIDE(wchar_t *, wcsncpy, (wchar_t *restrict to, const wchar_t *restrict from, size_t most), (to, from, most),
     read_text(from, most, pc);
     write_text(to, most, pc))
WIDE(wchar_t *, wcpncpy, (wchar_t *restrict to, const wchar_t *restrict from, size_t most), (to, from, most),
     read_text(from, most, pc);
     write_text(to, most, pc))
WIDE(wchar_t *, wcscat, (wchar_t *restrict to, const wchar_t *restrict from), (to, from),
     size_t end = read_text(to, SIZE_MAX, pc);
     write_text(to + end, read_text(from, SIZE_MAX, pc) + 1, pc))
WIDE(wchar_t *, wcsncat, (wchar_t *restrict to, const wchar_t *restrict from, size_t most), (to, from, most),
     size_t end = read_text(to, SIZE_MAX, pc);
     write_text(to + end, read_text(from, most, pc) + 1, pc))
WIDE(size_t, wcsnlen, (const wchar_t *text, size_t most), (text, most), read_text(text, most, pc))
WIDE(
    wchar_t *, wmemchr, (const wchar_t *text, wchar_t wanted, size_t most), (text, wanted, most),
    for (size_t i = 0; i < most; i++) {
        access_read(text + i, sizeof *text, pc);
        if (text[i] == wanted)
            break;
    })

static void read_both(const wchar_t *one, const wchar_t *other, size_t most, const void *pc)
{
    for (size_t i = 0; i < most; i++) {
        access_read(one + i, sizeof *one, pc);
        access_read(other + i, sizeof *other, pc);
        if (!one[i] || !other[i])
            break;
    }
}

WIDE(int, wcsncmp, (const wchar_t *one, const wchar_t *other, size_t most), (one, other, most),
     read_both(one, other, most, pc))
WIDE(int, wcsncasecmp, (const wchar_t *one, const wchar_t *other, size_t most), (one, other, most),
     read_both(one, other, most, pc))

PUBLIC wchar_t *wcstok(wchar_t *restrict text, const wchar_t *restrict parting, wchar_t **restrict rest)
{
    if (!engine.running)
        return NATIVE(wcstok)(text, parting, rest);
    if (!text) {
        access_read(rest, sizeof *rest, HERE);
        text = *rest;
    }
    read_text(parting, SIZE_MAX, HERE);
    access_write(rest, sizeof *rest, HERE);
    if (!text)
        return NULL;
    read_text(text, SIZE_MAX, HERE);
    text += NATIVE(wcsspn)(text, parting);
    wchar_t *end = text + NATIVE(wcscspn)(text, parting);
    if (!*text) {
        *rest = NULL;
        return NULL;
    }
    if (*end) {
        access_write(end, sizeof *end, HERE);
        *end++ = 0;
    } else {
        end = NULL;
    }
    *rest = end;
    return text;
}

// ---- conversions ----
//
// Without a state of the caller's they have one of their own, which all threads share.

static PROGRAM_STATE mbstate_t own_state = {0};

static mbstate_t *state_for(mbstate_t *given, const char *name, const void *pc)
{
    if (given) {
        access_read(given, sizeof *given, pc);
        access_write(given, sizeof *given, pc);
        return given;
    }
    ask(engine.running, OP_LIBRARY, 0, place_at((uint64_t)(uintptr_t)&own_state), pc)->operand = (uintptr_t)name;
    visible(engine.running);
    undo_save(&engine.undo, &own_state, sizeof own_state);
    return &own_state;
}

// How many bytes it looks at is known only when it has done so; nothing is changed in between. No `pc`: its caller tells.
static size_t libc_wide_convert(wchar_t *to, const char *from, size_t most, mbstate_t *state, const void *pc)
{
    mbstate_t trial = *state;
    wchar_t letter = 0;
    size_t n = NATIVE(mbrtowc)(&letter, from, most, &trial);
    if (from && pc)
        access_read(from, n == 0 ? 1 : n <= most ? n : most ? 1 : 0, pc);
    if (to && from && pc && n <= most)
        access_write(to, sizeof *to, pc);
    return NATIVE(mbrtowc)(to, from, most, state);
}

PUBLIC size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t most, mbstate_t *restrict state)
{
    if (!engine.running)
        return NATIVE(mbrtowc)(to, from, most, state);
    return libc_wide_convert(to, from, most, state_for(state, "mbrtowc", HERE), HERE);
}

PUBLIC size_t mbrlen(const char *restrict from, size_t most, mbstate_t *restrict state)
{
    if (!engine.running)
        return NATIVE(mbrlen)(from, most, state);
    return libc_wide_convert(NULL, from, most, state_for(state, "mbrlen", HERE), HERE);
}
ALSO(__mbrlen, mbrlen);

PUBLIC size_t wcrtomb(char *restrict to, wchar_t letter, mbstate_t *restrict state)
{
    char bytes[64]; // more than any encoding takes
    if (!engine.running)
        return NATIVE(wcrtomb)(to, letter, state);
    mbstate_t *used = state_for(state, "wcrtomb", HERE);
    size_t n = NATIVE(wcrtomb)(to ? bytes : NULL, letter, used);
    if (to && n != (size_t)-1) {
        access_write(to, n, HERE);
        plain_move(to, bytes, n);
    }
    return n;
}

PUBLIC int mbtowc(wchar_t *restrict to, const char *restrict from, size_t most)
{
    mbstate_t fresh = {0};
    if (!engine.running)
        return NATIVE(mbtowc)(to, from, most);
    if (!from)
        return 0; // no encoding of this C library has a state
    size_t n = libc_wide_convert(to, from, most, &fresh, HERE);
    return n > most ? -1 : (int)n;
}

PUBLIC int mblen(const char *from, size_t most)
{
    mbstate_t fresh = {0};
    if (!engine.running)
        return NATIVE(mblen)(from, most);
    if (!from)
        return 0;
    size_t n = libc_wide_convert(NULL, from, most, &fresh, HERE);
    return n > most ? -1 : (int)n;
}

PUBLIC int wctomb(char *to, wchar_t letter)
{
    mbstate_t fresh = {0};
    char bytes[64];
    if (!engine.running)
        return NATIVE(wctomb)(to, letter);
    if (!to)
        return 0;
    size_t n = NATIVE(wcrtomb)(bytes, letter, &fresh);
    if (n == (size_t)-1)
        return -1;
    access_write(to, n, HERE);
    plain_move(to, bytes, n);
    return (int)n;
}

// One character after the other, as far as there is room; where the text ends `from` becomes null.
static size_t convert_text(wchar_t *to, const char **from, size_t most, mbstate_t *state, const void *pc)
{
    enum { LONGEST = 16 };
    size_t count = 0;
    for (; !to || count < most; count++) {
        wchar_t letter;
        size_t n = libc_wide_convert(&letter, *from, LONGEST, state, NULL), used = n == 0 ? 1 : n <= LONGEST ? n : 1;
        access_read(*from, used, pc);
        if (n > LONGEST)
            return (size_t)-1;
        if (to) {
            access_write(to + count, sizeof *to, pc);
            to[count] = letter;
        }
        if (!n) {
            *from = NULL;
            return count;
        }
        *from += n;
    }
    return count;
}

static size_t convert_back(char *to, const wchar_t **from, size_t most, mbstate_t *state, const void *pc)
{
    char bytes[64];
    size_t count = 0;
    for (;; ++*from) {
        access_read(*from, sizeof **from, pc);
        wchar_t letter = **from;
        size_t n = NATIVE(wcrtomb)(bytes, letter, state);
        if (n == (size_t)-1)
            return n;
        if (to && count + n > most)
            return count;
        if (to) {
            access_write(to + count, n, pc);
            plain_move(to + count, bytes, n);
        }
        if (!letter) {
            *from = NULL;
            return count + n - 1;
        }
        count += n;
    }
}

PUBLIC size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t most)
{
    mbstate_t fresh = {0};
    const char *at = from;
    return engine.running ? convert_text(to, &at, most, &fresh, HERE) : NATIVE(mbstowcs)(to, from, most);
}

PUBLIC size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t most)
{
    mbstate_t fresh = {0};
    const wchar_t *at = from;
    return engine.running ? convert_back(to, &at, most, &fresh, HERE) : NATIVE(wcstombs)(to, from, most);
}

PUBLIC size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t most, mbstate_t *restrict state)
{
    if (!engine.running)
        return NATIVE(mbsrtowcs)(to, from, most, state);
    access_read(from, sizeof *from, HERE);
    const char *at = *from;
    size_t n = convert_text(to, &at, most, state_for(state, "mbsrtowcs", HERE), HERE);
    if (to) {
        access_write(from, sizeof *from, HERE);
        *from = at;
    }
    return n;
}

PUBLIC size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t most, mbstate_t *restrict state)
{
    if (!engine.running)
        return NATIVE(wcsrtombs)(to, from, most, state);
    access_read(from, sizeof *from, HERE);
    const wchar_t *at = *from;
    size_t n = convert_back(to, &at, most, state_for(state, "wcsrtombs", HERE), HERE);
    if (to) {
        access_write(from, sizeof *from, HERE);
        *from = at;
    }
    return n;
}
