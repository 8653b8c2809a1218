// Which compiler heddle stands in front of.
#ifndef BUILD_CC_COMPILER_H
#define BUILD_CC_COMPILER_H

#include <stdbool.h>

#include "base/strings.h"

// Adds the words of the environment's compiler: the program, perhaps behind a wrapper such as ccache. For C++ with only HEDDLE_CC
// set to a clang, it is the clang++ beside it. Returns whether it is a clang.
bool compiler_find(bool cxx, struct strings *compiler);

#endif
