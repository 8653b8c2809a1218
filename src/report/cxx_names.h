// Names of C++ as people write them.
#ifndef REPORT_CXX_NAMES_H
#define REPORT_CXX_NAMES_H

#include "base/buffer.h"

// Appends the readable name, without a function's parameters; the name as it is if it is not one of C++. The C++ library makes it
// readable, if it is there: heddle itself needs none, and a program that does brings it.
void demangle(const char *name, struct buffer *out);

#endif
