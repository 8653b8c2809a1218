// How many bytes of memory the instructions for vectors and floating-point numbers access (SSE, AVX, x87).
#ifndef BUILD_ASSEMBLY_WIDE_H
#define BUILD_ASSEMBLY_WIDE_H

#include <stdbool.h>
#include <stdint.h>

// `name` in small letters, with its suffix; `width` of the widest vector register that it names, in bytes, or 0 if it names
// none. Returns 0 for what is not known, or accesses a number of bytes that only registers tell.
uint32_t wide_size(const char *name, uint32_t width);

// Whether it stores, if its only operand is in memory.
bool wide_writes(const char *name);

#endif
