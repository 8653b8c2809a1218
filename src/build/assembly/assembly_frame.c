#include "build/assembly/assembly_frame.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

void frame_clear(struct own_frame *f)
{
    free(f->taken.range);
    free(f->hooked.range);
    free(f->own.range);
    free(f->access);
    *f = (struct own_frame){0};
}

void frame_add_range(struct ranges *r, int64_t from, int64_t size)
{
    r->range = alloc_grow(r->range, r->count, &r->room, sizeof *r->range);
    r->range[r->count++] = (struct range){from, from + size};
}

static bool in_ranges(const struct ranges *r, int64_t from, int64_t size)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->range[i].from < from + size && from < r->range[i].to)
            return true;
    return false;
}

void frame_add_access(struct own_frame *f, struct frame_access access)
{
    f->access = alloc_grow(f->access, f->accesses, &f->access_room, sizeof *f->access);
    f->access[f->accesses++] = access;
}

int64_t frame_lowest_taken(const struct own_frame *f)
{
    const struct ranges *r = &f->taken;
    int64_t found = INT64_MAX;
    for (size_t i = 0; i < r->count; i++)
        found = r->range[i].from < found ? r->range[i].from : found;
    return found;
}

bool frame_needs_hook(const struct own_frame *f, const struct frame_access *a)
{
    int64_t lowest_taken = frame_lowest_taken(f);
    if (lowest_taken == INT64_MAX)
        return false;
    bool above = !a->fixed || a->place.offset + (int64_t)a->size > lowest_taken;
    if (!f->hooks)
        return f->escapes && above;
    if (f->lent)
        return above;
    if (!a->possible || !above)
        return false;
    if (!a->fixed || in_ranges(&f->taken, a->place.offset, a->size) || in_ranges(&f->hooked, a->place.offset, a->size))
        return true;
    return !in_ranges(&f->own, a->place.offset, a->size);
}
