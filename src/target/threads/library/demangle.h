// Names of C++ as people write them.
#ifndef TARGET_DEMANGLE_H
#define TARGET_DEMANGLE_H

#include <stddef.h>

// Leaves the readable name in `text`, or the name as it is if the program has no library that can make it readable.
void demangle(const char *name, char *text, size_t size);

#endif
