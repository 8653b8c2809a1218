// Small questions about text. Usable inside the program under test.
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

static inline bool text_begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static inline bool text_ends(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return size <= length && !strcmp(text + length - size, end);
}

static inline const char *text_skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

// A path without its folders.
static inline const char *text_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Whether the list, which ends with null, has it.
static inline bool text_is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(text, *list))
            return true;
    return false;
}

#endif
