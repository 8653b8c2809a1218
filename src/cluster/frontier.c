#include "cluster/frontier.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum { AT_FIRST = 1 << 12, CROWDED = 1 << 22 };

struct point {
    uint32_t parent;
    uint16_t actor, alternative; // of the step that leads here
};

void frontier_open(struct frontier *f)
{
    *f = (struct frontier){.count = 1, .room = AT_FIRST, .crowded = CROWDED, .open_room = AT_FIRST};
    f->points = mem_reserve(f->room * sizeof *f->points);
    f->open = mem_reserve(f->open_room * sizeof *f->open);
}

void frontier_close(struct frontier *f)
{
    mem_release(f->points, f->room * sizeof *f->points);
    mem_release(f->open, f->open_room * sizeof *f->open);
}

static void *grow(void *old, uint32_t *room, size_t size)
{
    require(*room < UINT32_MAX / 2);
    void *new = mem_reserve((size_t)2 * *room * size);
    memcpy(new, old, *room * size);
    mem_release(old, *room * size);
    *room *= 2;
    return new;
}

uint32_t frontier_extend(struct frontier *f, uint32_t point, struct step step)
{
    if (f->count == f->room)
        f->points = grow(f->points, &f->room, sizeof *f->points);
    f->points[f->count] = (struct point){point, (uint16_t)step.actor, (uint16_t)step.alternative};
    return f->count++;
}

void frontier_cut(struct frontier *f, uint32_t point)
{
    f->count = point + 1;
}

static void mark_way(const struct frontier *f, uint32_t *number, uint32_t point)
{
    for (; !number[point]; point = f->points[point].parent)
        number[point] = 1;
}

// A point comes after the one that it is reached from, so that numbers are there when they are needed.
static void renumber(struct frontier *f, uint32_t *number)
{
    uint32_t kept = 1;
    for (uint32_t i = 1; i < f->count; i++) {
        if (!number[i])
            continue;
        f->points[kept] = f->points[i];
        f->points[kept].parent = number[f->points[i].parent];
        number[i] = kept++;
    }
    f->count = kept;
}

void frontier_tidy(struct frontier *f, uint32_t *way, uint32_t depth)
{
    if (f->count < f->crowded)
        return;
    size_t bytes = f->count * sizeof(uint32_t);
    uint32_t *number = mem_reserve(bytes);
    number[0] = 1; // the root ends every way
    mark_way(f, number, way[depth]);
    for (uint32_t i = f->first; i < f->open_count; i++)
        mark_way(f, number, f->open[i].point);
    number[0] = 0;
    renumber(f, number);
    for (uint32_t i = f->first; i < f->open_count; i++)
        f->open[i].point = number[f->open[i].point];
    for (uint32_t i = 0; i <= depth; i++)
        way[i] = number[way[i]];
    f->crowded = f->count < CROWDED / 2 ? CROWDED : 2 * f->count;
    mem_release(number, bytes);
}

void frontier_way(const struct frontier *f, uint32_t point, uint32_t depth, uint32_t *way)
{
    for (way[depth] = point; depth > 0; depth--)
        way[depth - 1] = f->points[way[depth]].parent;
}

struct step frontier_step(const struct frontier *f, uint32_t point)
{
    return (struct step){f->points[point].actor, f->points[point].alternative};
}

void frontier_push(struct frontier *f, const struct level *level)
{
    if (f->open_count == f->open_room)
        f->open = grow(f->open, &f->open_room, sizeof *f->open);
    f->open[f->open_count++] = *level;
}

struct level *frontier_take(struct frontier *f, uint32_t index)
{
    struct level *last = &f->open[f->open_count - 1], *taken = &f->open[index];
    if (last != taken) {
        struct level swapped = *taken;
        *taken = *last;
        *last = swapped;
    }
    return last;
}

void frontier_drop(struct frontier *f)
{
    f->open_count--;
}

void frontier_shift(struct frontier *f)
{
    memmove(f->open, f->open + 1, --f->open_count * sizeof *f->open);
}

struct level *frontier_first(struct frontier *f)
{
    return &f->open[f->first];
}

void frontier_drop_first(struct frontier *f)
{
    if (++f->first < f->open_room / 2)
        return;
    memmove(f->open, f->open + f->first, frontier_left(f) * sizeof *f->open);
    f->open_count -= f->first;
    f->first = 0;
}

size_t frontier_bytes(const struct frontier *f)
{
    return f->count * sizeof *f->points + f->open_count * sizeof *f->open;
}
