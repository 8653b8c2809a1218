// Programs given as sources: built in a directory of their own, which goes away with the command.
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include <stdbool.h>

// Whether the name is that of a C or C++ source.
bool is_source(const char *name);

// Builds the sources (both lists end with null). Status 0 with the path of the executable in *result, which is good until
// source_clean; or after a sentence 2, or 128 + N if signal N interrupted the compiler.
int source_build(const char *const *sources, const char *const *flags, const char **result);

// Takes away what source_build made, before it may build again. Also done at exit and when a signal ends the command.
void source_clean(void);

#endif
