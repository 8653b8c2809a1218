// A log of overwritten memory: popping it puts the old contents back, newest first.
//
// An entry is the old bytes followed by a trailer that says where they belong, so that the log is read from its end.
#ifndef BASE_UNDO_H
#define BASE_UNDO_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/lanes.h"
#include "base/paths.h"

struct undo_trailer {
    uint64_t address;
    uint32_t size;   // bytes that belong at address
    uint32_t stored; // bytes the entry takes in the log, trailer left out
};

struct undo {
    uint8_t *start, *top;
    uint8_t *limit; // up to which an entry of at most UNDO_SMALL bytes may begin
};

enum { UNDO_SMALL = 256 };

extern const char undo_room[]; // what there is no room for when the log is full

void undo_init(struct undo *undo, size_t bytes);

// Puts back everything logged since the log was `mark` bytes long.
void undo_to(struct undo *undo, size_t mark);

static inline size_t undo_mark(const struct undo *undo)
{
    return (size_t)(undo->top - undo->start);
}

// Drops what was logged since, leaving memory as it is.
static inline void undo_forget(struct undo *undo, size_t mark)
{
    undo->top = undo->start + mark;
}

// Ends the entry whose `stored` bytes begin at `top`, which the compiler need not read again.
static IN_PLACE void undo_trail(struct undo *undo, uint8_t *top, const void *address, size_t size, size_t stored)
{
    struct undo_trailer *trailer = (struct undo_trailer *)(top + stored);
    *trailer = (struct undo_trailer){(uint64_t)(uintptr_t)address, (uint32_t)size, (uint32_t)stored};
    undo->top = (uint8_t *)(trailer + 1);
}

// Bytes of the log that keeping `size` bytes takes.
static inline size_t undo_size(size_t size)
{
    return ((size + 15) & ~(size_t)15) + sizeof(struct undo_trailer);
}

// Keeps `size` bytes at `address`; may read up to 15 bytes beyond them, which must be readable.
static IN_PLACE void undo_save(struct undo *undo, const void *address, size_t size)
{
    size_t stored = (size + 15) & ~(size_t)15;
    uint8_t *top = undo->top;
    require_room(top + (__builtin_constant_p(stored) && stored <= UNDO_SMALL ? 0 : stored) < undo->limit, undo_room);
    copy_lanes(top, (const uint8_t *)address, stored);
    undo_trail(undo, top, address, size, stored);
}

// The same for one aligned word.
static IN_PLACE void undo_save_word(struct undo *undo, const void *address)
{
    uint8_t *top = undo->top;
    require_room(top < undo->limit, undo_room);
    *(uint64_t *)top = *(const uint64_t *)address;
    undo_trail(undo, top, address, 8, 8);
}

#endif
