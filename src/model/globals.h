// What `heddle cc` leaves in an object about its global variables: behind each there is room that belongs to nobody, so that
// whoever goes beyond the variable's end is seen. Written as text by build/assembly/assembly_globals.c, read by
// target/threads/memory/global_ends.c.
#ifndef MODEL_GLOBALS_H
#define MODEL_GLOBALS_H

#include <stdint.h>

enum { GLOBALS_ROOM = 32 }; // bytes behind each variable

// All those of an object. Where a variable begins and ends is counted from the unit itself: an address here would look like one
// that the program keeps (target/threads/engine/arguments.h).
struct globals_unit {
    uint64_t count;
    struct {
        int64_t start, end;
    } variable[];
};

#endif
