// Clears what nobody will read again, in registers and stack frames, in front of calls: a compiler's output does the same as
// before, and a thread that stands in such a call has nothing on its stack but what it needs. For `heddle lin`, which
// compares states byte by byte (target/threads/engine/state.h): remains of earlier computations would tell states apart.
#ifndef BUILD_ASSEMBLY_REMAINS_H
#define BUILD_ASSEMBLY_REMAINS_H

#include <stddef.h>

// Returns the new text of the assembler's input, of which `size` bytes stand at `text`, to be freed; or null if there is
// nothing to clear. *new_size gets its length.
char *remains_clear(const char *text, size_t size, size_t *new_size);

#endif
