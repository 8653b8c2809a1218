// Code that was not compiled by heddle, among what is linked: heddle cannot see what it does to shared memory, and says so.
#ifndef BUILD_CC_FOREIGN_H
#define BUILD_CC_FOREIGN_H

#include "build/cc_line.h"

// How many objects in this object file or archive have code without instrumentation (gcc and clang make every
// instrumented unit refer to __tsan_init). Shared libraries and what is no object at all count as none. Of an archive every
// member counts, needed or not; thin archives are not looked into.
unsigned foreign_in_file(const char *path);

// The same for `-lNAME`, looked for in the line's -L directories only: libraries of the system are no surprise.
unsigned foreign_in_library(const struct line *line, const char *name);

#endif
