// Programs given as sources: built in a directory of their own, which goes away with the command.
#ifndef BUILD_SOURCE_H
#define BUILD_SOURCE_H

#include <stdbool.h>

// Whether the name is that of a C or C++ source.
bool is_source(const char *name);

// Builds the sources (both lists end with null). Status 0 with the path of the executable in *result, which is good until
// source_clean; or after a sentence 2, or 128 + N if signal N interrupted the compiler. `without_main` is what sources lack
// in which there is no main, for the sentence about that.
int source_build(const char *const *sources, const char *const *flags, const char *without_main, const char **result);
#define SOURCE_WITHOUT_MAIN "main and no heddle_test"

// Takes away what source_build made, before it may build again. Also done at exit and when a signal ends the command.
void source_clean(void);

#endif
