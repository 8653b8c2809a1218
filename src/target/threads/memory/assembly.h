// What is known of the program's inline assembly.
#ifndef TARGET_ASSEMBLY_H
#define TARGET_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

// Whether instructions that heddle does not follow may write to memory: then the log of writes is not complete.
bool assembly_writes_unseen(void);

// Whether there are such instructions at all: what the program does may depend on memory that it is not seen to read.
bool assembly_acts_unseen(void);

// Says in sentences, one call of `say` each, which inline assembly is followed and which is not; nothing if there is none.
void assembly_describe(void (*say)(void *context, const char *sentence), void *context);

// Called by the constructor of each unit that has some.
struct assembly_unit;
void __heddle_asm_unit(const struct assembly_unit *unit);

#endif
