// Patterns of names: `*` stands for any text, everything else for itself.
#ifndef BASE_GLOB_H
#define BASE_GLOB_H

#include <stdbool.h>

// Whether the whole text fits the pattern.
bool glob_matches(const char *pattern, const char *text);

#endif
