#include "report/openmp_regions.h"

enum {
    MOST_BYTES = 1 << 16, // that a region is taken to share
    MOST_TRIES = 4        // regions that are asked for a name
};

// The newest region counts that has its variables just below the address and knows a name. A region of the runtime itself, which
// wraps one of the program, knows none.
bool regions_name(const struct trace *trace, struct symbols *symbols, uint64_t address, uint64_t size, size_t entry,
                  struct buffer *name, Dwarf_Die *type, bool *typed)
{
    *typed = false;
    int tries = MOST_TRIES;
    for (size_t i = trace->region_count; i-- > 0 && tries;) {
        const struct trace_record *r = &trace->entries[trace->regions[i]].record;
        if (trace->regions[i] > entry || address - r->address >= MOST_BYTES)
            continue;
        if (symbols_shared(symbols, r->value, r->address, address, size, name, type, typed))
            return true;
        tries--;
    }
    return false;
}
