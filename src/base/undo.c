#include "base/undo.h"

#include "base/mem.h"

const char undo_room[] = "the log of what one execution changes, by which it is taken back";

void undo_init(struct undo *undo, size_t bytes)
{
    lanes_choose();
    undo->start = undo->top = mem_reserve(bytes);
    undo->limit = undo->start + bytes - UNDO_SMALL - sizeof(struct undo_trailer);
}

// Of any size.
static void put_back_exactly(uint8_t *to, const uint8_t *from, size_t size)
{
    size_t i = size & ~(size_t)15;
    copy_lanes(to, from, i);
    if (i + 8 <= size) {
        *(uint64_t *)(to + i) = *(const uint64_t *)(from + i);
        i += 8;
    }
    for (; i < size; i++)
        to[i] = from[i];
}

void undo_to(struct undo *undo, size_t mark)
{
    const uint8_t *until = undo->start + mark, *top = undo->top;
    while (top > until) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        uint8_t *to = (uint8_t *)(uintptr_t)trailer->address;
        size_t size = trailer->size;
        top = (const uint8_t *)trailer - trailer->stored;
        if (size == 8)
            *(uint64_t *)to = *(const uint64_t *)top;
        else if (size == trailer->stored)
            copy_lanes(to, top, size);
        else
            put_back_exactly(to, top, size);
    }
    undo->top = (uint8_t *)(uintptr_t)top;
}
