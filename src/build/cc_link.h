// Linking a program that heddle builds for its user.
#ifndef BUILD_CC_LINK_H
#define BUILD_CC_LINK_H

#include <stdbool.h>

#include "base/strings.h"

// Runs the command that links, and passes on what the linker says. If it misses main and nothing else, the status is
// CC_NO_MAIN and the user is told nothing: the caller has a sentence for that. `scratch` is a directory for temporary files.
// `*said`: whether the linker said anything.
int link_told(const struct strings *command, const char *scratch, bool *said);

#endif
