// Of which type a block of the heap is, as far as the place that allocated it tells.
//
// Types of blocks are first learnt from typed pointers that were seen to hold them; this is for the rest.
#ifndef REPORT_ALLOCATED_H
#define REPORT_ALLOCATED_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/function_index.h"

enum allocated { ALLOCATED_UNKNOWN, ALLOCATED_FOUND, ALLOCATED_AMBIGUOUS };

// Looks for pointers to a structure or union of this size among the variables, parameters and result of the function whose
// code `pc` is (an address of the file that `unit` is from); of an inlined function first among its own, then among those of
// the function that it stands in. Ambiguous: there are several such types.
enum allocated allocated_type(struct function_index *index, Dwarf_Die *unit, uint64_t pc, uint64_t size,
                              Dwarf_Die *type);

#endif
