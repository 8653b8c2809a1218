// The compiler driver: `heddle cc` and `heddle c++` stand where gcc and g++ (or clang, by HEDDLE_CC and HEDDLE_CXX) stood,
// and make programs that heddle can check. Code is compiled with the hooks of -fsanitize=thread, and linked with heddle's
// runtime in front of the C library instead of the sanitizer's.
#ifndef BUILD_CC_DRIVER_H
#define BUILD_CC_DRIVER_H

#include <stdbool.h>

// Does what the compiler would do with this command line, for C or for C++. Returns the exit status, unless it becomes the
// compiler.
int cc_act_as(bool cxx, int argc, char **argv);

// Builds an executable from sources (C++ if one of them is) with -O1 -g and then the extra flags. Both lists end with a
// null pointer; extra_flags may be null. Returns the compiler's exit status; 2 after one sentence; or CC_NO_MAIN, of which
// nothing was said, if nothing is missing but a function main.
enum { CC_NO_MAIN = -1 };
int cc_build(const char *const *sources, const char *const *extra_flags, const char *output);

// What the preprocessor makes of one source, with the same flags. Returns the compiler's exit status.
int cc_preprocess(const char *source, const char *const *extra_flags, const char *output);

#endif
