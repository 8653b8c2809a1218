// Is this file something heddle can run?
#ifndef SUPERVISE_SUBJECT_H
#define SUPERVISE_SUBJECT_H

#include <stdbool.h>

// Null if the executable at `path` was built by heddle cc, or if it was not but can be run with heddle's runtime in front of
// the C library (`plain`): then heddle sees its calls and nothing else. Otherwise a sentence about what it is instead.
const char *subject_trouble(const char *path, bool *plain);

#endif
