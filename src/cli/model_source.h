// A model in C for `heddle history`: compiled, loaded, and watched, since it runs inside this process.
#ifndef CLI_MODEL_SOURCE_H
#define CLI_MODEL_SOURCE_H

#include "lin/model_file.h"

// Compiles the file with the compiler of HEDDLE_CC, or gcc, and these flags (separated by blanks; may be null). 0, or 2
// after one sentence. Nothing is left behind.
int model_source_load(struct model_file *model, const char *path, const char *flags);

// From here on a model that crashes ends the command with one sentence and status 2, one that does not come back within
// `seconds` (0: any time) with status 3.
void model_source_watch(const char *path, double seconds);

#endif
