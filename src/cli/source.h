// Programs given as sources: built in a directory of their own, which goes away with the command.
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>

// Whether the name is that of a C or C++ source.
bool is_source(const char *name);

// Builds the sources (both lists end with null) and returns the path of the executable, or null after a sentence.
const char *source_build(const char *const *sources, const char *const *flags);

// Takes away what source_build made. Also done at exit and when a signal ends the command.
void source_clean(void);

#endif
