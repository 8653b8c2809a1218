// What `heddle cc --memory-errors` leaves in an object for finding uses of memory that nobody wrote: the hooks of reads whose value
// decides a branch at once, and what of a function's frame is set when the function tells of its entry. Also where the frame
// has the description of its variables, or a guard above them, if there is one.
// Written as text by build/assembly/assembly_defined.c, read by target/threads/memory/defined.c.
#ifndef MODEL_DEFINED_H
#define MODEL_DEFINED_H

#include <stdint.h>

// Bytes of a frame, counted from the stack pointer when the entry's hook is called.
struct defined_range {
    uint16_t from, until;
};

enum { DEFINED_READ, DEFINED_ENTRY };

struct defined_site {
    int32_t pc; // return address of the hook, relative to this field
    uint16_t kind;
    uint16_t size;   // of an entry: bytes of the frame, up to the return address and with it
    int32_t set;     // of an entry: the ranges that are set, in their order, relative to this field …
    uint32_t ranges; // … and how many they are. All other bytes are not
    int32_t header;  // of an entry: where the description is, counted like the ranges, or NOT_IN_FRAME
    int32_t guard;   // of an entry: where the guard is, the same
};

enum { NOT_IN_FRAME = -1 };

// What gcc's stack protector keeps between the variables of a frame and what the function has to give back: eight bytes that
// belong to nobody. Arrays lie next to it.
enum { FRAME_GUARD_BYTES = 8 };

// What clang's AddressSanitizer leaves in a frame before its first variable.
enum { FRAME_HEADER_MAGIC = 0x41b58ab3 };

struct frame_header {
    uint64_t magic;
    const char *variables; // "COUNT", and of each variable " FROM SIZE LENGTH NAME"; FROM counts from here
    const void *function;
};

// All sites of an object.
struct defined_unit {
    uint64_t sites;
    struct defined_site site[];
};

#endif
