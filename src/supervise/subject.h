// Is this file something heddle can run?
#ifndef SUPERVISE_SUBJECT_H
#define SUPERVISE_SUBJECT_H

// Null if the executable at `path` was built by heddle cc, otherwise a sentence about what it is instead.
const char *subject_trouble(const char *path);

#endif
