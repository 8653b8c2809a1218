#include "base/alloc.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

void *alloc_checked(void *memory)
{
    if (memory)
        return memory;
    fputs("heddle: out of memory.\n", stderr);
    exit(FAIL_INCOMPLETE);
}

// The C library may give null for nothing.
static size_t at_least_one(size_t count)
{
    return count ? count : 1;
}

void *alloc_array(size_t count, size_t size)
{
    return alloc_checked(reallocarray(NULL, at_least_one(count), size));
}

void *alloc_zeroed(size_t count, size_t size)
{
    return alloc_checked(calloc(at_least_one(count), size));
}

void *alloc_ended(size_t count, size_t size)
{
    return alloc_zeroed(count < SIZE_MAX ? count + 1 : count, size);
}

void *alloc_resize(void *array, size_t count, size_t size)
{
    return alloc_checked(reallocarray(array, at_least_one(count), size));
}

void *alloc_grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count == *room) {
        *room = *room ? *room * 2 : 16;
        array = alloc_resize(array, *room, size);
    }
    memset((char *)array + count * size, 0, size);
    return array;
}

void *alloc_reserve(void *array, size_t wanted, size_t *room, size_t size)
{
    if (wanted <= *room)
        return array;
    *room = 2 * wanted + 64;
    return alloc_resize(array, *room, size);
}

char *alloc_copy(const char *text)
{
    return alloc_checked(strdup(text));
}

char *alloc_copy_part(const char *text, size_t length)
{
    return alloc_checked(strndup(text, length));
}

char *alloc_format_list(const char *format, va_list arguments)
{
    char *text = NULL;
    return alloc_checked(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *alloc_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = alloc_format_list(format, arguments);
    va_end(arguments);
    return text;
}
