// The string functions of libc, in front of libc's own: under control they report what they read and write.
//
// A report may switch threads, so that memory may change under it. Each byte is therefore used as it is right after its
// own report: text is read in rounds (look ahead unreported for where the round ends, report, look again), and what is
// read is kept on the stack while a write, or a second operand, is reported. A round stays within a page, so that text
// without an end is reported up to the last page it has. Large copies are reported in pieces of KEEP bytes.
// The exceptions are strstr, whose operands can be of any length (see there), and strcoll, which is left to libc.
//
// Not under control the same code runs without reports (pc is NULL). It may be called before this library is relocated:
// nothing here but strcoll, strcasecmp and strncasecmp (locale) and strdup and strndup (malloc) needs another library.

#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <strings.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/public.h"
#include "target/threads/memory/memory_room.h"

#if __has_attribute(copy)
#define ALIAS(name, of) PUBLIC __typeof__(of) name __attribute__((alias(#of), copy(of)))
#else
#define ALIAS(name, of) PUBLIC __typeof__(of) name __attribute__((alias(#of)))
#endif

enum { KEEP = 512, PAGE = 4096 };

_Noreturn void __chk_fail(void); // libc: "buffer overflow detected", abort

// ---- finding a byte ----

struct set { // of byte values
    uint64_t has[4];
};

static inline void set_add(struct set *set, byte value)
{
    set->has[value >> 6] |= 1ull << (value & 63);
}

static inline struct set set_of(int one, int other)
{
    struct set set;
    set.has[0] = set.has[1] = set.has[2] = set.has[3] = 0; // an initialiser may become a call of memset
    set_add(&set, (byte)one);
    set_add(&set, (byte)other);
    return set;
}

static inline size_t page_left(const void *start)
{
    return PAGE - ((uintptr_t)start & (PAGE - 1));
}

static inline size_t libc_string_least(size_t one, size_t other)
{
    return one < other ? one : other;
}

static size_t libc_string_seek(const byte *text, const struct set *stops, size_t most)
{
    size_t at = 0;
    while (at < most && !(stops->has[text[at] >> 6] >> (text[at] & 63) & 1))
        at++;
    return at;
}

// Where the first byte of `stops` stands in `text`, or `most`; all bytes up to and with it are read.
static size_t libc_string_find(const void *start, const struct set *stops, size_t most, const void *pc)
{
    const byte *text = start;
    if (!pc)
        return libc_string_seek(text, stops, most);
    size_t from = 0;
    while (from < most) {
        size_t round = libc_string_least(most - from, page_left(text + from));
        round = libc_string_least(round, libc_string_seek(text + from, stops, round) + 1);
        access_read(text + from, round, pc);
        size_t at = libc_string_seek(text + from, stops, round);
        from += at;
        if (at < round)
            break;
    }
    return from;
}

size_t reported_length(const char *text, size_t most, const void *pc)
{
    struct set end = set_of(0, 0);
    size_t length = pc ? libc_string_find(text, &end, most, pc) : plain_length(text, most);
    if (pc && engine.rules.memory_errors)
        defined_look_at_text(engine.running, (uint64_t)(uintptr_t)text, length + (length < most), pc);
    return length;
}

PUBLIC size_t strlen(const char *text)
{
    return reported_length(text, SIZE_MAX, CALLER());
}

PUBLIC size_t strnlen(const char *text, size_t most)
{
    return reported_length(text, most, CALLER());
}

PUBLIC void *memchr(const void *start, int value, size_t size)
{
    struct set stops = set_of(value, value);
    size_t at = libc_string_find(start, &stops, size, CALLER());
    return at < size ? (byte *)start + at : NULL;
}

PUBLIC void *memrchr(const void *start, int value, size_t size)
{
    const byte *text = start;
    const void *pc = CALLER();
    while (size--) {
        if (pc)
            access_read(text + size, 1, pc);
        if (text[size] == (byte)value)
            return (byte *)text + size;
    }
    return NULL;
}

PUBLIC char *strchrnul(const char *text, int value)
{
    struct set stops = set_of(value, 0);
    return (char *)text + libc_string_find(text, &stops, SIZE_MAX, CALLER());
}

PUBLIC char *strchr(const char *text, int value)
{
    struct set stops = set_of(value, 0);
    text += libc_string_find(text, &stops, SIZE_MAX, CALLER());
    return *text == (char)value ? (char *)text : NULL;
}
ALIAS(index, strchr);

PUBLIC char *strrchr(const char *text, int value)
{
    struct set stops = set_of(value, 0);
    const void *pc = CALLER();
    const char *last = NULL;
    for (;; text++) {
        text += libc_string_find(text, &stops, SIZE_MAX, pc);
        if (*text == (char)value)
            last = text;
        if (!*text)
            return (char *)last;
    }
}
ALIAS(rindex, strrchr);

// The bytes of a text as a set, its end among them; the text is read whole.
static struct set set_from(const char *text, const void *pc)
{
    struct set set = set_of(0, 0);
    do {
        if (pc) // byte for byte: each must be used before the next one's report
            access_read(text, 1, pc);
        set_add(&set, (byte)*text);
    } while (*text++);
    return set;
}

// How many bytes at the start of a text are in the set, or else are not; its end is in no span.
static size_t libc_string_span(const char *text, struct set set, bool in, const void *pc)
{
    for (int i = 0; in && i < 4; i++)
        set.has[i] = ~set.has[i];
    set_add(&set, 0);
    return libc_string_find(text, &set, SIZE_MAX, pc);
}

PUBLIC size_t strspn(const char *text, const char *accept)
{
    const void *pc = CALLER();
    return libc_string_span(text, set_from(accept, pc), true, pc);
}

PUBLIC size_t strcspn(const char *text, const char *reject)
{
    const void *pc = CALLER();
    return libc_string_span(text, set_from(reject, pc), false, pc);
}

PUBLIC char *strpbrk(const char *text, const char *accept)
{
    const void *pc = CALLER();
    text += libc_string_span(text, set_from(accept, pc), false, pc);
    return *text ? (char *)text : NULL;
}

// ---- comparing ----

enum how { BYTES, TEXT, FOLDED }; // memory; text, which ends; text without regard to case

static inline int libc_string_order(byte one, byte other, enum how how)
{
    return how == FOLDED ? tolower(one) - tolower(other) : one - other;
}

static size_t libc_string_differ(const byte *one, const byte *other, size_t most, enum how how)
{
    if (how == BYTES)
        return plain_differ(one, other, most);
    size_t at = 0;
    while (at < most && one[at] && !libc_string_order(one[at], other[at], how))
        at++;
    return at;
}

static __attribute__((noinline)) int compare_reported(const byte *one, const byte *other, size_t most, enum how how,
                                                      const void *pc)
{
    byte kept[KEEP]; // what `one` held when it was reported
    for (size_t from = 0; from < most;) {
        size_t round = libc_string_least(libc_string_least(most - from, KEEP),
                                         libc_string_least(page_left(one + from), page_left(other + from)));
        round = libc_string_least(round, libc_string_differ(one + from, other + from, round, how) + 1);
        access_read(one + from, round, pc);
        plain_move(kept, one + from, round);
        access_read(other + from, round, pc);
        size_t at = libc_string_differ(kept, other + from, round, how);
        if (at < round && engine.rules.memory_errors && kept[at] != other[from + at])
            defined_look_at_difference(engine.running, (uint64_t)(uintptr_t)(one + from + at),
                                       (uint64_t)(uintptr_t)(other + from + at),
                                       how == BYTES ? most - from - at - 1 : 0, pc);
        if (at < round)
            return libc_string_order(kept[at], other[from + at], how);
        from += round;
    }
    return 0;
}

static int libc_string_compare(const void *first, const void *second, size_t most, enum how how, const void *pc)
{
    const byte *one = first, *other = second;
    if (pc)
        return compare_reported(one, other, most, how, pc);
    size_t at = libc_string_differ(one, other, most, how);
    return at < most ? libc_string_order(one[at], other[at], how) : 0;
}

PUBLIC int memcmp(const void *one, const void *other, size_t size)
{
    return libc_string_compare(one, other, size, BYTES, CALLER());
}
ALIAS(bcmp, memcmp);
ALIAS(__memcmpeq, memcmp);

PUBLIC int strcmp(const char *one, const char *other)
{
    return libc_string_compare(one, other, SIZE_MAX, TEXT, CALLER());
}

PUBLIC int strncmp(const char *one, const char *other, size_t most)
{
    return libc_string_compare(one, other, most, TEXT, CALLER());
}

PUBLIC int strcasecmp(const char *one, const char *other)
{
    return libc_string_compare(one, other, SIZE_MAX, FOLDED, CALLER());
}

PUBLIC int strncasecmp(const char *one, const char *other, size_t most)
{
    return libc_string_compare(one, other, most, FOLDED, CALLER());
}

PUBLIC int strcoll(const char *one, const char *other)
{
    static __typeof__(strcoll) *libc_strcoll;
    const void *pc = CALLER();
    if (pc) {
        reported_length(one, SIZE_MAX, pc);
        reported_length(other, SIZE_MAX, pc);
    }
    if (!libc_strcoll)
        NEXT_RESOLVE(strcoll)
    return libc_strcoll(one, other);
}

// Where `sought` of `size` bytes stands in `text`, or NULL; and how many bytes of `text` tell that.
static const char *libc_string_search(const char *text, const char *sought, size_t size, size_t *seen)
{
    for (const char *at = text;; at++) {
        size_t same = 0;
        while (same < size && at[same] == sought[same] && at[same])
            same++;
        if (same == size) {
            *seen = (size_t)(at - text) + size;
            return at;
        }
        if (!*at) {
            *seen = (size_t)(at - text) + 1;
            return NULL;
        }
    }
}

// Reads the text up to the end of the match. Both operands are compared as they are after the last report, so a byte
// that another thread changes between its report and that one is seen changed.
PUBLIC char *strstr(const char *text, const char *sought)
{
    const void *pc = CALLER();
    size_t size = reported_length(sought, SIZE_MAX, pc), reported = 0, seen;
    if (!size)
        return (char *)text;
    for (;;) {
        const char *found = libc_string_search(text, sought, size, &seen);
        if (!pc || seen <= reported)
            return (char *)found;
        access_read(text + reported, seen - reported, pc);
        reported = seen;
    }
}

// ---- copying ----

static __attribute__((noinline)) void copy_reported(byte *to, const byte *from, size_t size, const void *pc)
{
    byte kept[KEEP];
    bool backward = (uintptr_t)to - (uintptr_t)from < size;
    for (size_t done = 0; done < size;) {
        size_t round = libc_string_least(size - done, KEEP), at = backward ? size - done - round : done;
        access_read(from + at, round, pc);
        plain_move(kept, from + at, round);
        access_write(to + at, round, pc);
        plain_move(to + at, kept, round);
        if (engine.rules.memory_errors)
            defined_note_copy((uint64_t)(uintptr_t)(to + at), (uint64_t)(uintptr_t)(from + at), round);
        done += round;
    }
}

static inline void *libc_string_copy(void *to, const void *from, size_t size, const void *pc)
{
    if (!pc)
        return plain_move(to, from, size);
    copy_reported(to, from, size, pc);
    return to;
}

static inline void *set_bytes(void *to, int value, size_t size, const void *pc)
{
    if (pc && size)
        access_write(to, size, pc);
    return plain_fill(to, value, size);
}

static __attribute__((noinline)) size_t copy_text_reported(char *to, const char *from, size_t most, const void *pc)
{
    char kept[KEEP];
    for (size_t done = 0; done < most;) {
        size_t round = libc_string_least(libc_string_least(most - done, KEEP), page_left(from + done));
        round = libc_string_least(round, plain_length(from + done, round) + 1);
        access_read(from + done, round, pc);
        size_t at = plain_length(from + done, round), size = libc_string_least(round, at + 1);
        plain_move(kept, from + done, size);
        access_write(to + done, size, pc);
        plain_move(to + done, kept, size);
        if (at < round)
            return done + at;
        done += round;
    }
    return most;
}

// Copies a text with its end, but no more than `most` bytes. Where the end stands, or `most` if it was not reached.
static size_t copy_text(char *to, const char *from, size_t most, const void *pc)
{
    if (pc)
        return copy_text_reported(to, from, most, pc);
    size_t size = plain_length(from, most);
    plain_move(to, from, size < most ? size + 1 : most);
    return size;
}

PUBLIC void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    access_stack(from, size, false, __builtin_dwarf_cfa(), CALLER());
    access_stack(to, size, true, __builtin_dwarf_cfa(), CALLER());
    return libc_string_copy(to, from, size, CALLER());
}
ALIAS(memmove, memcpy);

PUBLIC void *mempcpy(void *restrict to, const void *restrict from, size_t size)
{
    libc_string_copy(to, from, size, CALLER());
    return (byte *)to + size;
}
ALIAS(__mempcpy, mempcpy);

// Copies up to the first byte of this value, and with it. The report may switch threads, and the byte may be elsewhere then:
// what is copied is what was found before.
PUBLIC void *memccpy(void *restrict to, const void *restrict from, int value, size_t size)
{
    const byte *bytes = from;
    size_t count = 0;
    bool found = false;
    while (count < size && !found)
        found = bytes[count++] == (byte)value;
    libc_string_copy(to, from, count, CALLER());
    return found ? (byte *)to + count : NULL;
}

PUBLIC void bcopy(const void *from, void *to, size_t size)
{
    libc_string_copy(to, from, size, CALLER());
}

PUBLIC void *memset(void *to, int value, size_t size)
{
    access_stack(to, size, true, __builtin_dwarf_cfa(), CALLER());
    return set_bytes(to, value, size, CALLER());
}

PUBLIC void bzero(void *to, size_t size)
{
    set_bytes(to, 0, size, CALLER());
}
ALIAS(explicit_bzero, bzero);

// clang after version 14 calls these for the copies and fillings it makes itself.
ALIAS(__tsan_memcpy, memcpy);
ALIAS(__tsan_memmove, memcpy);
ALIAS(__tsan_memset, memset);

// ---- copying text ----

// Copies a text whole into `room` bytes. Where its end stands.
static size_t put_text(char *to, const char *from, size_t room, const void *pc)
{
    size_t at = copy_text(to, from, room, pc);
    if (at == room)
        __chk_fail();
    return at;
}

// Copies a text into exactly `size` bytes, cut or filled with zeros. Where its end stands, or `size`.
static size_t put_padded(char *to, const char *from, size_t size, const void *pc)
{
    size_t at = copy_text(to, from, size, pc);
    if (at < size)
        set_bytes(to + at + 1, 0, size - at - 1, pc);
    return at;
}

// Appends at most `most` bytes of a text, and an end, to the one in `to`, all in `room` bytes.
static char *libc_string_append(char *to, const char *from, size_t most, size_t room, const void *pc)
{
    size_t used = reported_length(to, room, pc), left = room - used;
    size_t limit = libc_string_least(most, left), at = copy_text(to + used, from, limit, pc);
    if (at == left)
        __chk_fail();
    if (at == limit)
        set_bytes(to + used + at, 0, 1, pc);
    return to;
}

static void check_room(size_t size, size_t room)
{
    if (size > room)
        __chk_fail();
}

PUBLIC char *strcpy(char *restrict to, const char *restrict from)
{
    put_text(to, from, SIZE_MAX, CALLER());
    return to;
}

PUBLIC char *stpcpy(char *restrict to, const char *restrict from)
{
    return to + put_text(to, from, SIZE_MAX, CALLER());
}
ALIAS(__stpcpy, stpcpy);

PUBLIC char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    put_padded(to, from, size, CALLER());
    return to;
}

PUBLIC char *stpncpy(char *restrict to, const char *restrict from, size_t size)
{
    return to + put_padded(to, from, size, CALLER());
}
ALIAS(__stpncpy, stpncpy);

PUBLIC char *strcat(char *restrict to, const char *restrict from)
{
    return libc_string_append(to, from, SIZE_MAX, SIZE_MAX, CALLER());
}

PUBLIC char *strncat(char *restrict to, const char *restrict from, size_t most)
{
    return libc_string_append(to, from, most, SIZE_MAX, CALLER());
}

static char *duplicate(const char *text, size_t most, const char *call, const void *pc) // reads it twice, as libc does
{
    size_t size = reported_length(text, most, pc);
    if (fault_strikes(FAULT_MALLOC, call, pc)) {
        errno = ENOMEM;
        return NULL;
    }
    char *made = malloc(size + 1);
    if (made) {
        libc_string_copy(made, text, size, pc);
        set_bytes(made + size, 0, 1, pc);
    }
    return made;
}

PUBLIC char *strdup(const char *text)
{
    return duplicate(text, SIZE_MAX, "strdup", CALLER());
}
ALIAS(__strdup, strdup);

PUBLIC wchar_t *wcsdup(const wchar_t *text)
{
    const void *pc = CALLER();
    size_t size = (wcslen(text) + 1) * sizeof *text;
    if (pc)
        access_read(text, size, pc);
    if (fault_strikes(FAULT_MALLOC, "wcsdup", pc)) {
        errno = ENOMEM;
        return NULL;
    }
    wchar_t *made = malloc(size);
    if (made && pc)
        access_write(made, size, pc);
    if (made)
        plain_move(made, text, size);
    return made;
}

PUBLIC char *strndup(const char *text, size_t most)
{
    return duplicate(text, most, "strndup", CALLER());
}
ALIAS(__strndup, strndup);

static char *libc_string_token(char *text, const char *separators, char **rest, const void *pc)
{
    if (!text) {
        if (pc)
            access_read(rest, sizeof *rest, pc);
        text = *rest;
    }
    struct set set = set_from(separators, pc);
    text += libc_string_span(text, set, true, pc);
    char *next = text, *found = NULL;
    if (*text) { // NOLINT(clang-analyzer-core.NullDereference): nothing to go on from is the program's fault
        found = text;
        next += libc_string_span(text, set, false, pc);
        if (*next)
            set_bytes(next++, 0, 1, pc);
    }
    if (pc)
        access_write(rest, sizeof *rest, pc);
    *rest = next;
    return found;
}

PUBLIC char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest)
{
    return libc_string_token(text, separators, rest, CALLER());
}

// Its state is the program's, so two threads that use strtok at once are reported as a race.
PUBLIC char *strtok(char *restrict text, const char *restrict separators)
{
    static PROGRAM_STATE char *rest;
    return libc_string_token(text, separators, &rest, CALLER());
}

PUBLIC char *strsep(char **restrict rest, const char *restrict separators)
{
    const void *pc = CALLER();
    if (pc)
        access_read(rest, sizeof *rest, pc);
    char *found = *rest, *next = NULL;
    if (!found)
        return NULL;
    char *end = found + libc_string_span(found, set_from(separators, pc), false, pc);
    if (*end) {
        set_bytes(end, 0, 1, pc);
        next = end + 1;
    }
    if (pc)
        access_write(rest, sizeof *rest, pc);
    *rest = next;
    return found;
}
ALIAS(__strsep_g, strsep);

// ---- fortified: `room` is the size of the target, SIZE_MAX if the compiler did not know it ----

PUBLIC void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    check_room(size, room);
    return libc_string_copy(to, from, size, CALLER());
}
ALIAS(__memmove_chk, __memcpy_chk);

PUBLIC void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    check_room(size, room);
    return (byte *)libc_string_copy(to, from, size, CALLER()) + size;
}

PUBLIC void *__memset_chk(void *to, int value, size_t size, size_t room)
{
    check_room(size, room);
    return set_bytes(to, value, size, CALLER());
}

PUBLIC void __explicit_bzero_chk(void *to, size_t size, size_t room)
{
    check_room(size, room);
    set_bytes(to, 0, size, CALLER());
}

PUBLIC char *__strcpy_chk(char *to, const char *from, size_t room)
{
    put_text(to, from, room, CALLER());
    return to;
}

PUBLIC char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    return to + put_text(to, from, room, CALLER());
}

PUBLIC char *__strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
    check_room(size, room);
    put_padded(to, from, size, CALLER());
    return to;
}

PUBLIC char *__stpncpy_chk(char *to, const char *from, size_t size, size_t room)
{
    check_room(size, room);
    return to + put_padded(to, from, size, CALLER());
}

PUBLIC char *__strcat_chk(char *to, const char *from, size_t room)
{
    return libc_string_append(to, from, SIZE_MAX, room, CALLER());
}

PUBLIC char *__strncat_chk(char *to, const char *from, size_t most, size_t room)
{
    return libc_string_append(to, from, most, room, CALLER());
}
