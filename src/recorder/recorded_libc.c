// Functions of the C library that read and write the program's memory: it was not compiled with hooks. These are the ones that
// programs share data by; what others do to memory is not recorded.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "recorder/recorder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static void reads(const void *start, size_t size, const void *pc)
{
    if (recorder.on)
        recorder_range(start, size, false, pc);
}

static void writes(const void *start, size_t size, const void *pc)
{
    if (recorder.on)
        recorder_range(start, size, true, pc);
}

static size_t length_of(const char *text)
{
    return NATIVE(strlen)(text);
}

static void reads_text(const char *text, const void *pc)
{
    if (recorder.on)
        recorder_range(text, length_of(text) + 1, false, pc);
}

static size_t length_within(const char *text, size_t most)
{
    size_t length = NATIVE(strnlen)(text, most);
    return length < most ? length + 1 : most;
}

// ---- blocks ----

#define COPYING(name)                                                                                                  \
    PUBLIC void *name(void *to, const void *from, size_t size)                                                         \
    {                                                                                                                  \
        reads(from, size, HERE);                                                                                       \
        writes(to, size, HERE);                                                                                        \
        return NATIVE(name)(to, from, size);                                                                           \
    }
COPYING(memcpy)
COPYING(memmove)
COPYING(mempcpy)

PUBLIC void *memset(void *to, int value, size_t size)
{
    writes(to, size, HERE);
    return NATIVE(memset)(to, value, size);
}

// What was compiled with _FORTIFY_SOURCE: libc checks the room.
void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
void *__memset_chk(void *to, int value, size_t size, size_t room);

PUBLIC void *__memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    return NATIVE(__memcpy_chk)(to, from, size, room);
}

PUBLIC void *__memmove_chk(void *to, const void *from, size_t size, size_t room)
{
    reads(from, size, HERE);
    writes(to, size, HERE);
    return NATIVE(__memmove_chk)(to, from, size, room);
}

PUBLIC void *__memset_chk(void *to, int value, size_t size, size_t room)
{
    writes(to, size, HERE);
    return NATIVE(__memset_chk)(to, value, size, room);
}

// Up to the first difference.
PUBLIC int memcmp(const void *one, const void *other, size_t size)
{
    const unsigned char *p = one, *q = other;
    size_t same = 0;
    if (!recorder.on)
        return NATIVE(memcmp)(one, other, size);
    while (same < size && p[same] == q[same])
        same++;
    size_t looked = same < size ? same + 1 : size;
    recorder_range(one, looked, false, HERE);
    recorder_range(other, looked, false, HERE);
    return same < size ? p[same] - q[same] : 0;
}

PUBLIC void *memchr(const void *start, int value, size_t size)
{
    char *found = NATIVE(memchr)(start, value, size);
    reads(start, found ? (size_t)(found - (const char *)start) + 1 : size, HERE);
    return found;
}

// ---- text ----

PUBLIC size_t strlen(const char *text)
{
    size_t length = length_of(text);
    reads(text, length + 1, HERE);
    return length;
}

PUBLIC size_t strnlen(const char *text, size_t most)
{
    reads(text, length_within(text, most), HERE);
    return NATIVE(strnlen)(text, most);
}

#define TEXT_COPYING(name)                                                                                             \
    PUBLIC char *name(char *restrict to, const char *restrict from)                                                    \
    {                                                                                                                  \
        size_t size = length_of(from) + 1;                                                                             \
        reads(from, size, HERE);                                                                                       \
        writes(to, size, HERE);                                                                                        \
        return NATIVE(name)(to, from);                                                                                 \
    }
TEXT_COPYING(strcpy)
TEXT_COPYING(stpcpy)

PUBLIC char *strncpy(char *restrict to, const char *restrict from, size_t size)
{
    reads(from, length_within(from, size), HERE);
    writes(to, size, HERE);
    return NATIVE(strncpy)(to, from, size);
}

PUBLIC char *strcat(char *restrict to, const char *restrict from)
{
    size_t size = length_of(from) + 1, before = length_of(to);
    reads(from, size, HERE);
    reads(to, before + 1, HERE);
    writes(to + before, size, HERE);
    return NATIVE(strcat)(to, from);
}

PUBLIC char *strncat(char *restrict to, const char *restrict from, size_t most)
{
    size_t size = NATIVE(strnlen)(from, most), before = length_of(to);
    reads(from, length_within(from, most), HERE);
    reads(to, before + 1, HERE);
    writes(to + before, size + 1, HERE);
    return NATIVE(strncat)(to, from, most);
}

static size_t difference(const char *one, const char *other, size_t most)
{
    size_t at = 0;
    while (at < most && one[at] && one[at] == other[at])
        at++;
    return at < most ? at + 1 : most;
}

PUBLIC int strcmp(const char *one, const char *other)
{
    if (recorder.on) {
        size_t size = difference(one, other, SIZE_MAX);
        recorder_range(one, size, false, HERE);
        recorder_range(other, size, false, HERE);
    }
    return NATIVE(strcmp)(one, other);
}

PUBLIC int strncmp(const char *one, const char *other, size_t most)
{
    if (recorder.on) {
        size_t size = difference(one, other, most);
        recorder_range(one, size, false, HERE);
        recorder_range(other, size, false, HERE);
    }
    return NATIVE(strncmp)(one, other, most);
}

#define TEXT_SEARCHING(name, type)                                                                                     \
    PUBLIC char *name(const char *text, type what)                                                                     \
    {                                                                                                                  \
        reads_text(text, HERE);                                                                                        \
        return NATIVE(name)(text, what);                                                                               \
    }
TEXT_SEARCHING(strchr, int)
TEXT_SEARCHING(strrchr, int)
TEXT_SEARCHING(strstr, const char *)

PUBLIC char *strdup(const char *text)
{
    size_t size = length_of(text) + 1;
    struct recorder_thread *me = recorder_self;
    reads(text, size, HERE);
    if (me)
        me->allocates_at = HERE;
    char *copy = malloc(size);
    if (me)
        me->allocates_at = NULL;
    if (copy) {
        writes(copy, size, HERE);
        NATIVE(memcpy)(copy, text, size);
    }
    return copy;
}

// ---- files and sockets ----
//
// What arrives is written once it is there.

PUBLIC ssize_t read(int fd, void *to, size_t size)
{
    ssize_t got = NATIVE(read)(fd, to, size);
    writes(to, got > 0 ? (size_t)got : 0, HERE);
    return got;
}

PUBLIC ssize_t write(int fd, const void *from, size_t size)
{
    reads(from, size, HERE);
    return NATIVE(write)(fd, from, size);
}

PUBLIC ssize_t pread(int fd, void *to, size_t size, off_t offset)
{
    ssize_t got = NATIVE(pread)(fd, to, size, offset);
    writes(to, got > 0 ? (size_t)got : 0, HERE);
    return got;
}

PUBLIC ssize_t pwrite(int fd, const void *from, size_t size, off_t offset)
{
    reads(from, size, HERE);
    return NATIVE(pwrite)(fd, from, size, offset);
}

PUBLIC ssize_t recv(int fd, void *to, size_t size, int flags)
{
    ssize_t got = NATIVE(recv)(fd, to, size, flags);
    writes(to, got > 0 ? ((size_t)got < size ? (size_t)got : size) : 0, HERE);
    return got;
}

PUBLIC ssize_t send(int fd, const void *from, size_t size, int flags)
{
    reads(from, size, HERE);
    return NATIVE(send)(fd, from, size, flags);
}

PUBLIC size_t fread(void *restrict to, size_t size, size_t count, FILE *restrict file)
{
    size_t got = NATIVE(fread)(to, size, count, file);
    writes(to, got * size, HERE);
    return got;
}

PUBLIC size_t fwrite(const void *restrict from, size_t size, size_t count, FILE *restrict file)
{
    reads(from, size * count, HERE);
    return NATIVE(fwrite)(from, size, count, file);
}

PUBLIC char *fgets(char *restrict to, int size, FILE *restrict file)
{
    char *line = NATIVE(fgets)(to, size, file);
    if (line && recorder.on)
        recorder_range(to, length_of(to) + 1, true, HERE);
    return line;
}

PUBLIC int vsnprintf(char *restrict to, size_t size, const char *restrict format, va_list arguments)
{
    int length = NATIVE(vsnprintf)(to, size, format, arguments);
    if (length >= 0 && size)
        writes(to, (size_t)length < size ? (size_t)length + 1 : size, HERE);
    return length;
}

PUBLIC int snprintf(char *restrict to, size_t size, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = NATIVE(vsnprintf)(to, size, format, arguments);
    va_end(arguments);
    if (length >= 0 && size)
        writes(to, (size_t)length < size ? (size_t)length + 1 : size, HERE);
    return length;
}

PUBLIC int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = NATIVE(vsprintf)(to, format, arguments);
    va_end(arguments);
    if (length >= 0)
        writes(to, (size_t)length + 1, HERE);
    return length;
}
