#include "base/undo.h"

#include "base/mem.h"

void undo_init(struct undo *undo, size_t bytes)
{
    undo->start = undo->top = mem_reserve(bytes);
    undo->limit = undo->start + bytes;
}

static void put_back(const struct undo_trailer *trailer)
{
    uint8_t *to = (uint8_t *)(uintptr_t)trailer->address;
    const uint8_t *from = (const uint8_t *)trailer - trailer->stored;
    size_t whole = trailer->size & ~(size_t)15;
    size_t i = whole;
    copy_loose(to, from, whole);
    if (i + 8 <= trailer->size) {
        *(uint64_t *)(to + i) = *(const uint64_t *)(from + i);
        i += 8;
    }
    for (; i < trailer->size; i++)
        to[i] = from[i];
}

void undo_to(struct undo *undo, size_t mark)
{
    uint8_t *until = undo->start + mark;
    while (undo->top > until) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)undo->top - 1;
        if (trailer->size == 8)
            *(uint64_t *)(uintptr_t)trailer->address = *(const uint64_t *)((const uint8_t *)trailer - trailer->stored);
        else
            put_back(trailer);
        undo->top = (uint8_t *)(uintptr_t)((const uint8_t *)trailer - trailer->stored);
    }
}
