// The variables of a function that is being called, which live on the stack.
#ifndef REPORT_LOCALS_H
#define REPORT_LOCALS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "report/function_index.h"
#include "report/symbols.h"
#include "report/variables.h"

// The variable that holds the address: one whose block the call is in, or else the only one of the function that is ever
// there. `unit` describes the function; `bias` is what its addresses are more than those in its file.
bool locals_find(struct function_index *index, Dwfl_Module *module, Dwarf_Die *unit, uint64_t bias,
                 const struct symbols_frame *frame, uint64_t address, struct variable *found);

// Of a function that gcc made of a parallel region (`pc` is in it): the type of the variables that it shares with the function
// around it, as members of one struct, and the name of that function, which is to be freed. False if it is no such function.
bool locals_shared(struct function_index *index, Dwarf_Die *unit, uint64_t pc, Dwarf_Die *type, char **around);

#endif
