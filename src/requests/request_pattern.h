// Patterns of paths with names in them.
#ifndef REQUESTS_REQUEST_PATTERN_H
#define REQUESTS_REQUEST_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum { PATTERN_NAMES = 8 };

struct pattern_match {
    struct {
        const char *name, *value;
        size_t name_length, value_length;
    } list[PATTERN_NAMES];
    size_t count;
};

// Whether the pattern can be used: braces are closed, and it has at most PATTERN_NAMES wildcards.
bool pattern_is_good(const char *pattern);

bool pattern_matches(const char *pattern, const char *path, struct pattern_match *match);

#endif
