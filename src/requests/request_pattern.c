#include "requests/request_pattern.h"

#include <string.h>

// One wildcard at the beginning of a pattern: `*`, `**`, {NAME} or {NAME:**}.
struct wildcard {
    size_t length; // 0: there is none
    const char *name;
    size_t name_length;
    bool any; // also `/`
};

static struct wildcard wildcard_at(const char *pattern)
{
    if (*pattern == '*') {
        bool any = pattern[1] == '*';
        return (struct wildcard){.length = any ? 2 : 1, .any = any};
    }
    const char *end = *pattern == '{' ? strchr(pattern, '}') : NULL;
    if (!end)
        return (struct wildcard){0};
    size_t length = (size_t)(end - pattern) + 1;
    bool any = length > 5 && !strncmp(end - 3, ":**", 3);
    return (struct wildcard){
        .length = length, .name = pattern + 1, .name_length = length - 2 - (any ? 3 : 0), .any = any};
}

bool pattern_is_good(const char *pattern)
{
    size_t wildcards = 0;
    while (*pattern) {
        struct wildcard w = wildcard_at(pattern);
        if (!w.length && (*pattern == '{' || *pattern == '}'))
            return false;
        if (w.length && w.name && !w.name_length)
            return false;
        wildcards += w.length != 0;
        pattern += w.length ? w.length : 1;
    }
    return wildcards <= PATTERN_NAMES;
}

// Tries the longest first, so that `**/x` means the last x.
static bool match_wildcard(const char *pattern, const char *path, const struct wildcard *w, struct pattern_match *m)
{
    size_t most = w->any ? strlen(path) : strcspn(path, "/"), kept = m->count;
    for (size_t length = most + 1; length-- > (w->name ? 1u : 0u);) {
        m->count = kept;
        if (w->name) {
            m->list[m->count].name = w->name;
            m->list[m->count].name_length = w->name_length;
            m->list[m->count].value = path;
            m->list[m->count++].value_length = length;
        }
        if (pattern_matches(pattern + w->length, path + length, m))
            return true;
    }
    m->count = kept;
    return false;
}

bool pattern_matches(const char *pattern, const char *path, struct pattern_match *m)
{
    for (; *pattern; pattern++, path++) {
        struct wildcard w = wildcard_at(pattern);
        if (w.length)
            return match_wildcard(pattern, path, &w, m);
        if (*pattern != *path)
            return false;
    }
    return !*path;
}
