// How an instruction accesses a global variable that it names, and whether what it takes from there ends in the variable itself: a
// counter is loaded, added to and stored again, and nobody learns its value.
#ifndef BUILD_ASSEMBLY_UPKEEP_H
#define BUILD_ASSEMBLY_UPKEEP_H

#include "build/assembly/assembly_listing.h"

enum access_kind {
    ACCESS_OTHER,  // not understood: it may take the variable's address
    ACCESS_STORE,  // overwrites it
    ACCESS_UPDATE, // computes its new value from the old one
    ACCESS_LOAD,   // takes its value into a register
    ACCESS_READ,   // looks at it in another way
    ACCESS_ADDRESS // takes the address of something in it, as that of an array
};

struct variable_access {
    enum access_kind kind;
    const char *name; // of the variable, within the instruction's text
    size_t length;
    int64_t offset;
    uint32_t size;
};

// The access of an instruction, without its prefixes, that has `NAME+OFFSET(%rip)` as an operand. False if it has none.
bool upkeep_read(const char *text, struct variable_access *access);

struct upkeep;
struct upkeep *upkeep_new(const struct listing *listing);
void upkeep_free(struct upkeep *upkeep);

// Whether the value that the instruction at `item`, a load or an update, takes decides nothing and is stored nowhere but there again, in the
// same bytes: no branch, no address, no argument, no result. Of an address: whether it stays in the function, and every value that is
// taken from there ends in the same variable. The listing is linked.
bool upkeep_ends_there(struct upkeep *upkeep, size_t item, const struct variable_access *access);

#endif
