#include "report/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

static void reserve(struct buffer *b, size_t more)
{
    if (b->length + more + 1 <= b->room)
        return;
    size_t room = b->room ? b->room * 2 : 64;
    while (room < b->length + more + 1)
        room *= 2;
    char *text = realloc(b->text, room);
    require(text);
    b->text = text;
    b->room = room;
}

void buffer_append(struct buffer *b, const char *bytes, size_t length)
{
    reserve(b, length);
    if (length)
        memcpy(b->text + b->length, bytes, length);
    b->length += length;
    b->text[b->length] = 0;
}

void buffer_add(struct buffer *b, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    require(length >= 0);
    reserve(b, (size_t)length);
    vsnprintf(b->text + b->length, (size_t)length + 1, format, again);
    va_end(again);
    b->length += (size_t)length;
}

void buffer_cut(struct buffer *b, size_t length)
{
    if (length >= b->length)
        return;
    b->length = length;
    b->text[length] = 0;
}

void buffer_free(struct buffer *b)
{
    free(b->text);
    *b = (struct buffer){0};
}

const char *buffer_text(const struct buffer *b)
{
    return b->text ? b->text : "";
}

// The length of the UTF-8 character at `s`, or 0 if there is none.
static size_t utf8_length(const unsigned char *s, size_t left)
{
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if (length == 3 && ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f)))
        return 0;
    if (length == 4 && ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f)))
        return 0;
    return length;
}

void buffer_add_safe(struct buffer *b, const char *text, size_t length, bool lines)
{
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(s + i, length - i);
        if (step == 0)
            buffer_append(b, "?", 1);
        else if ((step == 1 && (s[i] < ' ' || s[i] == 127) && !(lines && s[i] == '\n')) ||
                 (step == 2 && s[i] == 0xc2 && s[i + 1] < 0xa0)) // C1 controls drive terminals too
            buffer_append(b, " ", 1);
        else
            buffer_append(b, text + i, step);
        i += step ? step : 1;
    }
}

char *buffer_copy(const char *text)
{
    char *copy = strdup(text);
    require(copy);
    return copy;
}

void *buffer_grow(void *array, size_t count, size_t *room, size_t size)
{
    if (count == *room) {
        *room = *room ? *room * 2 : 16;
        array = reallocarray(array, *room, size);
        require(array);
    }
    memset((char *)array + count * size, 0, size);
    return array;
}

void *buffer_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    require(memory);
    return memory;
}
