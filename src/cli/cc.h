// The compiler driver: `heddle cc` and `heddle c++` stand where gcc and g++ (or clang, by HEDDLE_CC and HEDDLE_CXX) stood,
// and make programs that heddle can check. Code is compiled with the hooks of -fsanitize=thread, and linked with heddle's
// runtime in front of the C library instead of the sanitizer's.
#ifndef CLI_CC_H
#define CLI_CC_H

// Builds an executable from sources (C++ if one of them is) with -O1 -g and then the extra flags. Both lists end with a
// null pointer; extra_flags may be null. Returns the compiler's exit status, or 2 after one sentence.
int cc_build(const char *const *sources, const char *const *extra_flags, const char *output);

// What the preprocessor makes of one source, with the same flags. Returns the compiler's exit status.
int cc_preprocess(const char *source, const char *const *extra_flags, const char *output);

#endif
