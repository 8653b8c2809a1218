// Objects inside a block of the heap that is larger than they are: what an allocator of the program cut from it, or what stands
// behind its header. They are known by pointers of the program to them, and are called by numbers like whole blocks.
#ifndef REPORT_PIECES_H
#define REPORT_PIECES_H

#include "report/types.h"

struct text_piece {
    size_t block; // its number in the trace
    uint64_t offset, size;
    Dwarf_Die type;
    uint32_t label; // 0: not named so far
};

struct pieces {
    struct text_piece *list;
    size_t count, room;
};

// The piece that holds this byte of the block, or null.
struct text_piece *pieces_at(const struct pieces *p, size_t block, uint64_t offset);

// Adds one, unless it lies across others or inside one; it takes the place of those inside it. Returns whether it was new.
bool pieces_add(struct pieces *p, size_t block, uint64_t offset, Dwarf_Die *type);

void pieces_free(struct pieces *p);

#endif
