// Text that grows, in memory of base/alloc.h. For the command only.
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Zero-initialised is empty. `text` is null until something was added; afterwards always terminated.
struct buffer {
    char *text;
    size_t length, room;
};

void buffer_add(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_append(struct buffer *b, const char *bytes, size_t length);
void buffer_cut(struct buffer *b, size_t length);
void buffer_free(struct buffer *b);

// Adds all that is left in the file. False: it cannot be read to its end, and errno says why.
bool buffer_add_file(struct buffer *b, FILE *file);

// Takes the file's next line, with its end if it has one, in place of what the buffer held. False: there is none.
bool buffer_read_line(struct buffer *b, FILE *file);

// The text, never null; belongs to the buffer.
const char *buffer_text(const struct buffer *b);

// Appends foreign text made safe to print: control characters become spaces (new lines are kept if asked), bytes that
// are not UTF-8 become `?`.
void buffer_add_safe(struct buffer *b, const char *text, size_t length, bool lines);

#endif
