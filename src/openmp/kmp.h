// The interface between code that clang compiles with -fopenmp and its runtime (libomp): what its files here share. Threads are
// known by thread-local storage, so the numbers that are handed around are not looked at.
#ifndef OPENMP_KMP_H
#define OPENMP_KMP_H

#include <stdint.h>

// Where in the source a construct stands.
struct kmp_ident {
    int32_t reserved_1, flags, reserved_2, reserved_3;
    const char *source;
};

#endif
