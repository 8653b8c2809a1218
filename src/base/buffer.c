#include "base/buffer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"

static void reserve(struct buffer *b, size_t more)
{
    if (b->length + more + 1 <= b->room)
        return;
    size_t room = b->room ? b->room * 2 : 64;
    while (room < b->length + more + 1)
        room *= 2;
    b->text = alloc_resize(b->text, room, 1);
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

bool buffer_add_file(struct buffer *b, FILE *file)
{
    size_t got;
    do {
        reserve(b, 1 << 16);
        got = fread(b->text + b->length, 1, b->room - b->length - 1, file);
        b->length += got;
        b->text[b->length] = 0;
    } while (got);
    return !ferror(file);
}

bool buffer_read_line(struct buffer *b, FILE *file)
{
    int c = 0;
    buffer_cut(b, 0);
    while (c != '\n' && (c = getc(file)) != EOF) {
        reserve(b, 1);
        b->text[b->length++] = (char)c;
        b->text[b->length] = 0;
    }
    return b->length;
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
