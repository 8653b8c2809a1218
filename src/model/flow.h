// What `heddle cc` leaves in an object about where values go that the program reads: one *site* for each hook of a plain
// access. Written as text by build/assembly/assembly_flows.c, read by target/threads/memory/flows.c; what it is good for
// says explore/subspace.h.
//
// The reads of a function are numbered. A read *escapes* if what it gave may decide what the program does next: a branch,
// an address, an argument or a result of a call. Other values end in arithmetic and in what hooked writes store.
// A branch decides nothing if one of its sides only comes round to the other, with nothing on the way but waiting for a condition
// variable, signalling one, and reading what was read for it once more, under the same locks; nor if one side only gives up.
#ifndef MODEL_FLOW_H
#define MODEL_FLOW_H

#include <stdint.h>

enum { FLOW_READS = 64 }; // of a function; further ones escape

enum flow_flags {
    FLOW_ESCAPES = 1, // what it reads
    FLOW_WAITS = 2,   // it decides whether the thread waits for, or signals, a condition variable on its way
    FLOW_AWAITS = 4,  // as long as it is zero, the thread waits, and looks again before it goes on
};

struct flow_site {
    int32_t pc;        // return address of the hook, relative to this field
    uint16_t function; // a number of its own in the unit
    uint8_t flags;
    uint8_t read;    // its number, plus 1; 0: it reads nothing that is kept anywhere
    uint64_t stored; // the reads of the function whose values may be in what it writes
};

// All sites of an object.
struct flow_unit {
    uint32_t sites, functions;
    struct flow_site site[];
};

// A site of the whole program.
struct flow {
    uint64_t pc;
    uint64_t stored;
    uint32_t function;
    uint8_t flags;
    uint8_t read;
};

#endif
