// Text that grows, and checked memory for the report layer, which runs in the supervisor and may use malloc.
#ifndef REPORT_BUFFER_H
#define REPORT_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

// Zero-initialised is empty. `text` is null until something was added; afterwards always terminated.
struct buffer {
    char *text;
    size_t length, room;
};

void buffer_add(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_append(struct buffer *b, const char *bytes, size_t length);
void buffer_cut(struct buffer *b, size_t length);
void buffer_free(struct buffer *b);

// The text, never null; belongs to the buffer.
const char *buffer_text(const struct buffer *b);

// Appends foreign text made safe to print: control characters become spaces (new lines are kept if asked), bytes that
// are not UTF-8 become `?`.
void buffer_add_safe(struct buffer *b, const char *text, size_t length, bool lines);

// A copy that the caller frees; never null.
char *buffer_copy(const char *text);

// Makes room for one more element of `size` bytes in an array that has `count`; the new element is zeroed. Never null.
void *buffer_grow(void *array, size_t count, size_t *room, size_t size);

// Zeroed memory; never null.
void *buffer_zeroed(size_t count, size_t size);

#endif
