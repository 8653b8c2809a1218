// Which bytes of a unit's own global variables are written and never read, so that nothing depends on them: a protocol's counters for
// people (target/nodes/relevant.h). It is a proof, from the compiler's output, and so leaves no doubt to be audited.
//
// A variable counts if no other unit knows its name, and if its address gets to nobody: each mention of it is an operand
// `NAME+OFFSET(%rip)` of an instruction that says how much it accesses, or takes an address that does not leave the function's registers.
// Then nobody else can access it; a pointer to something else never leads there in a program that is defined. Of such a variable a
// byte is unread if every instruction that reads it updates it: what it takes from there ends in the same bytes again
// (assembly_upkeep.h). An array whose address is taken is one piece. Whatever is not understood reads.
#ifndef BUILD_ASSEMBLY_UNREAD_H
#define BUILD_ASSEMBLY_UNREAD_H

#include <stddef.h>

// The assembler's input with a table of these bytes behind it (model/unread.h), which the caller frees; null if there are none.
char *unread_append(const char *text, size_t size, size_t *new_size);

#endif
