// The variables of one module that live at fixed addresses, as its debug information lists them.
#ifndef REPORT_VARIABLES_H
#define REPORT_VARIABLES_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

struct variable {
    uint64_t start, size;
    const char *name;
    const char *function; // whose static local it is, or null
    Dwarf_Die type;
};

struct variables {
    struct variable *list; // by address
    size_t count, room;
};

// Reads all that `dwarf` describes; `bias` is added to their addresses.
void variables_read(struct variables *v, Dwarf *dwarf, uint64_t bias);
void variables_free(struct variables *v);

// The variable that holds this address, or null.
struct variable *variables_find(const struct variables *v, uint64_t address);

#endif
