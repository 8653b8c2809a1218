#include "report/openmp_regions.h"

enum { MOST_BYTES = 1 << 16 }; // that a region is taken to share

// The newest that has its variables just below the address.
static const struct trace_record *region_of(const struct trace *trace, uint64_t address, size_t entry)
{
    for (size_t i = entry < trace->count ? entry + 1 : trace->count; i-- > 0;) {
        const struct trace_record *r = &trace->entries[i].record;
        if (r->type == TRACE_SILENT && r->kind == SILENT_OUTLINED && address - r->address < MOST_BYTES)
            return r;
    }
    return NULL;
}

bool regions_name(const struct trace *trace, struct symbols *symbols, uint64_t address, uint64_t size, size_t entry,
                  struct buffer *name, Dwarf_Die *type, bool *typed)
{
    const struct trace_record *r = region_of(trace, address, entry);
    *typed = false;
    return r && symbols_shared(symbols, r->value, r->address, address, size, name, type, typed);
}
