// Which functions of a compilation unit a place is in: the one that the code belongs to, and those that are inlined there.
//
// elfutils looks through all of a unit for each place (dwarf_getscopes), and units of C++ have thousands of entries. Here each is looked
// through once.
#ifndef REPORT_FUNCTION_INDEX_H
#define REPORT_FUNCTION_INDEX_H

#include <elfutils/libdw.h>
#include <stddef.h>

#include "base/table.h"

struct function_pieces;

// Zero-initialised is empty.
struct function_index {
    struct table numbers; // units
    struct function_pieces *units;
    size_t room;
};

// The functions around an address of the unit, innermost first: inlined ones, and as the last one the function whose code it is.
// Returns how many were written.
size_t function_index_find(struct function_index *x, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *functions, size_t room);

void function_index_free(struct function_index *x);

#endif
