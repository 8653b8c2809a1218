// Makes the inline assembly in a compiler's output tell heddle what memory it is about to access.
#ifndef BUILD_ASSEMBLY_REWRITE_H
#define BUILD_ASSEMBLY_REWRITE_H

#include <stddef.h>

// Returns the new text of the assembler's input, of which `size` bytes stand at `text`, to be freed; or null if there is
// nothing to announce and nothing to say about it. *new_size gets its length.
char *assembly_rewrite(const char *text, size_t size, size_t *new_size);

#endif
