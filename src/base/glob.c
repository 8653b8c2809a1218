#include "base/glob.h"

#include <stddef.h>

// The last star may stand for more; earlier ones never need to be tried again.
bool glob_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *after = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            after = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++after;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}
