// The interface between code that gcc compiles with -fopenmp and its runtime, as far as the files here call one another.
#ifndef OPENMP_GOMP_H
#define OPENMP_GOMP_H

#include <stdbool.h>

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);

// Of heddle's own runtime: says for reports which variables a region shares.
__attribute__((weak)) void heddle_outlined(void (*function)(void *), const void *shared);

static inline void tell_of_region(void (*body)(void *), const void *data)
{
    if (heddle_outlined)
        heddle_outlined(body, data);
}

#endif
