#include "report/pieces.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { MOST = 2048 };

struct text_piece *pieces_at(const struct pieces *p, size_t block, uint64_t offset)
{
    for (size_t i = 0; i < p->count; i++) {
        struct text_piece *piece = &p->list[i];
        if (piece->block == block && offset >= piece->offset && offset - piece->offset < piece->size)
            return piece;
    }
    return NULL;
}

static bool overlap(const struct text_piece *a, const struct text_piece *b)
{
    return a->block == b->block && a->offset < b->offset + b->size && b->offset < a->offset + a->size;
}

static bool lies_inside(const struct text_piece *a, const struct text_piece *b)
{
    return a->offset >= b->offset && a->offset + a->size <= b->offset + b->size && a->size < b->size;
}

bool pieces_add(struct pieces *p, size_t block, uint64_t offset, Dwarf_Die *type)
{
    struct text_piece fresh = {.block = block, .offset = offset, .size = types_size(type), .type = *type};
    size_t kept = 0;
    if (!fresh.size || p->count == MOST)
        return false;
    for (size_t i = 0; i < p->count; i++)
        if (overlap(&p->list[i], &fresh) && !lies_inside(&p->list[i], &fresh))
            return false;
    for (size_t i = 0; i < p->count; i++)
        if (!overlap(&p->list[i], &fresh))
            p->list[kept++] = p->list[i];
    p->count = kept;
    p->list = alloc_grow(p->list, p->count, &p->room, sizeof *p->list);
    p->list[p->count++] = fresh;
    return true;
}

void pieces_free(struct pieces *p)
{
    free(p->list);
    *p = (struct pieces){0};
}
