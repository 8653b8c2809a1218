// Calls in a compiler's output: which of them are hooks, and what those tell of.
#ifndef BUILD_ASSEMBLY_HOOKS_H
#define BUILD_ASSEMBLY_HOOKS_H

#include "build/assembly/assembly_machine.h"

enum call_kind { CALL_OTHER, CALL_HOOK, CALL_ENTRY, CALL_VOLATILE, CALL_TLS };

enum call_kind call_kind_of(const char *name);

// The name of the function that is called, up to an @ or the operand's end.
void call_name(const char *operands, char *name, size_t room);

// How many bytes the hook tells of; 0 if that is not known.
uint64_t call_hook_size(const struct machine *machine, const char *name);

#endif
