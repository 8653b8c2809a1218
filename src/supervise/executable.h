// An executable that the user names as the program under test.
#ifndef SUPERVISE_EXECUTABLE_H
#define SUPERVISE_EXECUTABLE_H

// Null, or a sentence about why it cannot be run. `preload` becomes the path of the runtime to put in front of a
// program that was not built by heddle, and null for others.
const char *executable_trouble(const char *path, const char **preload);

#endif
