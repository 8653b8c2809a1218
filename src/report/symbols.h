// Names for addresses of the program under test: source places for code, variables and their parts for data.
//
// Addresses are those of the recorded run; each module says where it was loaded. A module without debug information
// still gives the names of its symbol table; an address outside all modules gives nothing.
#ifndef REPORT_SYMBOLS_H
#define REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "report/allocated.h"
#include "report/types.h"

struct symbols;

// Strings belong to the symbols. Function and file may be null, line 0, if unknown.
struct symbols_place {
    const char *function;
    const char *file; // relative to the current directory if below it, otherwise as the compiler was given it
    int line;
    int begins;       // the function's first line; 0 if unknown
    uint32_t size;    // of the function's code; 0 if it is inlined, or unknown
    bool library;     // in a library of the system, of which no source is known
    uint64_t address; // if nothing else is known
};

struct symbols *symbols_new(void);
// The same from the modules themselves: debug information that is kept in files of its own, as that of system libraries often is,
// takes tens of megabytes to unpack.
struct symbols *symbols_of_files(void);
void symbols_free(struct symbols *s);

// Adds an ELF file loaded at `base` (what was added to its addresses: 0 for a program linked at fixed ones); false if
// it cannot be read. All modules must be added before the first question.
bool symbols_add(struct symbols *s, const char *path, uint64_t base);

// Where a call returns to: the call's place, and if it stands in inlined functions theirs, innermost first. Returns
// how many places were written, 0 if nothing is known.
size_t symbols_places(struct symbols *s, uint64_t return_address, struct symbols_place *places, size_t room);

// Appends the name of the variable, or part of it, that the bytes belong to ("queue.slots[3].x", "symbol+8",
// "function::variable" for static locals); false if the address is no global. *typed tells whether *type was found.
bool symbols_data(struct symbols *s, uint64_t address, uint64_t size, struct buffer *name, Dwarf_Die *type,
                  bool *typed);

// A call that is under way: where its function is, and the stack and frame pointer it had at `pc`.
struct symbols_frame {
    uint64_t pc, sp, fp;
    uint64_t at; // a return address, if it is in this function
};

// The same for a variable on the stack, "function::variable"; false if none of the call's variables is known to be there.
bool symbols_local(struct symbols *s, const struct symbols_frame *frame, uint64_t address, uint64_t size,
                   struct buffer *name, Dwarf_Die *type, bool *typed);

// The same for a variable that a parallel region shares with the function around it: `region` is the code that gcc made of the
// region, `shared` where the variables are that it was called with.
bool symbols_shared(struct symbols *s, uint64_t region, uint64_t shared, uint64_t address, uint64_t size,
                    struct buffer *name, Dwarf_Die *type, bool *typed);

// The type of a block of `size` bytes that was allocated by the call that returns to this address, or for its caller.
// ALLOCATED_UNKNOWN: the caller may tell.
enum allocated symbols_allocated(struct symbols *s, uint64_t return_address, uint64_t size, Dwarf_Die *type);

// Whether a library of heddle's is loaded there.
bool symbols_are_heddles(struct symbols *s, uint64_t address);

// Appends the name of the function that starts at this address; false if none does.
bool symbols_function(struct symbols *s, uint64_t address, struct buffer *name);

// Tells of every stretch of code that belongs to one line: from `start` up to, but not including,
// `end`. In the order in which the compiler wrote them.
void symbols_lines(struct symbols *s, void (*tell)(void *context, uint64_t start, uint64_t end), void *context);

#endif
