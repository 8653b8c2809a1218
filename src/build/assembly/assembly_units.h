// A set of small pieces of a function's frame, by their distance from the frame pointer.
#ifndef BUILD_ASSEMBLY_UNITS_H
#define BUILD_ASSEMBLY_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    UNITS_REACH = 2048, // bytes below the frame pointer that are looked at
    UNITS_SIZE = 4,     // bytes of a unit
    UNITS = UNITS_REACH / UNITS_SIZE
};

struct units {
    uint64_t bit[UNITS / 64];
};

// The units that a part of the frame has something of; with `inner`, those that lie in it as a whole.
struct units units_of(int32_t distance, int32_t size, bool inner);

struct units units_all(void);

bool units_has(const struct units *set, size_t unit);
void units_add(struct units *set, const struct units *more);

#endif
