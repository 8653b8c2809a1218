// Functions that are called through the dynamic linker: by the program, and by libraries that were compiled with it.
#ifndef TARGET_IMPORTS_H
#define TARGET_IMPORTS_H

#include <stdbool.h>
#include <stdint.h>

struct dl_phdr_info;

struct import {
    const char *name;
    uint64_t *slot; // holds the function's address; null if nobody has it and that is allowed
    bool sealed;    // the slot has been made read-only
    bool foreign;   // the module that calls has no hooks: it is part of a library that heddle does not look into
};

// All of them, of all modules but the C library's and heddle's own. Stops when `visit` returns true.
void imports_visit(bool (*visit)(const struct import *, void *), void *context);

// Functions of the C++ library whose addresses stand in its data, as in tables of virtual functions: all of these places. One
// that has no name of its own has that of the table. Then, with a name that is null, other places where such an address may
// stand: where the library refers to its own functions, and the copies that the program has of tables. All can be
// written meanwhile.
void imports_visit_tables(void (*visit)(const struct import *));

// Whether it is the program, or a library that was compiled with it.
bool imports_has_hooks(const struct dl_phdr_info *info);

// Whether a library of this name belongs to the C library, the compiler, C++ or heddle.
bool imports_is_system(const char *name);

// Where a function lies.
enum home {
    HOME_HEDDLE,
    HOME_PROGRAM, // or a library with hooks
    HOME_SYSTEM,  // the C library and what belongs to it, the compiler's run-time library, that of C++
    HOME_OTHER,
    HOME_DATA // it is no function
};

// The library's name is left in `library`.
enum home home_of(uint64_t address, const char **library);

#endif
