// The variables of a function that is being called, which live on the stack.
#ifndef REPORT_LOCALS_H
#define REPORT_LOCALS_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "report/symbols.h"
#include "report/variables.h"

// The variable that holds the address: one whose block the call is in, or else the only one of the function that is ever
// there. `unit` describes the function; `bias` is what its addresses are more than those in its file.
bool locals_find(Dwfl_Module *module, Dwarf_Die *unit, uint64_t bias, const struct symbols_frame *frame, uint64_t address,
                 struct variable *found);

#endif
