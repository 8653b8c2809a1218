// Loops that wait until what they read is not zero: `while (!done) pthread_cond_wait(…)`.
#ifndef BUILD_ASSEMBLY_AWAIT_H
#define BUILD_ASSEMBLY_AWAIT_H

#include "build/assembly/assembly_detour.h"

// The item of the hook that tells of what the branch looks at, if control goes on at `item` where that is zero, and comes from
// there to `join` only by another look at the same place that does not find zero. Otherwise the function's end.
size_t await_hook(const struct detour *d, size_t branch, size_t item, size_t join);

#endif
