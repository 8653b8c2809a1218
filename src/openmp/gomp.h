// The interface between code that gcc compiles with -fopenmp and its runtime, as far as the files here call one another.
#ifndef OPENMP_GOMP_H
#define OPENMP_GOMP_H

#include <stdbool.h>

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);

#endif
