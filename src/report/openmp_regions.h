// Parallel regions of OpenMP that a recorded run has begun, and the names of what they share. gcc puts shared variables that are
// no arrays and whose address nobody takes into a struct that has no name; the runtime has said where it is.
#ifndef REPORT_OPENMP_REGIONS_H
#define REPORT_OPENMP_REGIONS_H

#include "report/symbols.h"
#include "report/trace_read.h"

// The name, "function::variable", of bytes that a region shares at the time of an entry; false if they are none of these.
bool regions_name(const struct trace *trace, struct symbols *symbols, uint64_t address, uint64_t size, size_t entry,
                  struct buffer *name, Dwarf_Die *type, bool *typed);

#endif
