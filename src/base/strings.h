// A growing list of strings, kept ready to be handed to exec: after the last one stands a null pointer.
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <stddef.h>

struct strings {
    char **item; // null while empty
    size_t count;
};

// Adds a copy, which stays where it is until strings_free, and returns it.
const char *strings_add(struct strings *list, const char *text);

// The same for the first `length` characters.
const char *strings_add_part(struct strings *list, const char *text, size_t length);

// The same for text made as by printf.
const char *strings_add_format(struct strings *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

void strings_free(struct strings *list);

#endif
