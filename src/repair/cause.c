#include "repair/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { MOST_REPAIRS = 64 }; // of which the best are kept; what they are extended to grows by products

// ---- blocks and repairs ----

static bool block_inside(const struct cause_block *inner, const struct cause_block *outer)
{
    return inner->function == outer->function && outer->from <= inner->from && inner->to <= outer->to &&
           (outer->loops || !inner->loops);
}

// Whether each block of `smaller` lies inside one of `larger`.
static bool contains(const struct cause_repair *larger, const struct cause_repair *smaller)
{
    for (uint32_t i = 0; i < smaller->count; i++) {
        bool inside = false;
        for (uint32_t j = 0; j < larger->count; j++)
            inside |= block_inside(&smaller->block[i], &larger->block[j]);
        if (!inside)
            return false;
    }
    return true;
}

// Blocks that overlap become one. False if there is no room.
static bool add_block(struct cause_repair *r, struct cause_block block)
{
    for (uint32_t i = 0; i < r->count;) {
        const struct cause_block *b = &r->block[i];
        if (b->function != block.function || b->to < block.from || block.to < b->from) {
            i++;
            continue;
        }
        block.from = b->from < block.from ? b->from : block.from;
        block.to = b->to > block.to ? b->to : block.to;
        block.loops |= b->loops;
        r->block[i] = r->block[--r->count];
        i = 0;
    }
    if (r->count == CAUSE_BLOCKS)
        return false;
    uint32_t at = r->count++;
    for (; at && (r->block[at - 1].function > block.function ||
                  (r->block[at - 1].function == block.function && r->block[at - 1].from > block.from));
         at--)
        r->block[at] = r->block[at - 1];
    r->block[at] = block;
    return true;
}

void cause_add(struct cause_repairs *repairs, const struct cause_repair *repair)
{
    size_t kept = 0;
    for (size_t i = 0; i < repairs->count; i++)
        if (contains(repair, &repairs->repair[i]))
            return;
    for (size_t i = 0; i < repairs->count; i++)
        if (!contains(&repairs->repair[i], repair))
            repairs->repair[kept++] = repairs->repair[i];
    repairs->count = kept;
    repairs->repair = alloc_grow(repairs->repair, repairs->count, &repairs->room, sizeof *repairs->repair);
    repairs->repair[repairs->count++] = *repair;
}

void cause_free(struct cause_repairs *repairs)
{
    free(repairs->repair);
    *repairs = (struct cause_repairs){0};
}

// ---- blocks in a run ----

bool cause_goes_on(const struct cause_block *block, uint32_t line_before, uint32_t line)
{
    return block->loops || line >= line_before; // NOLINT(clang-analyzer-core.NullDereference): callers found it
}

// The outermost place of the event in a block of the repair; null if there is none.
static const struct cause_place *place_in(const struct cause_repair *r, const struct cause_run *run, uint32_t event,
                                          const struct cause_block **block)
{
    const struct cause_site *site = &run->site[event];
    for (uint32_t i = 0; i < site->count; i++) {
        const struct cause_place *p = &run->place[site->first + i];
        for (uint32_t b = 0; b < r->count; b++) {
            *block = &r->block[b];
            if (p->function == r->block[b].function && r->block[b].from <= p->line && p->line <= r->block[b].to)
                return p;
        }
    }
    return NULL;
}

struct whereabouts {
    uint32_t node;
    const struct cause_block *block; // null: in none
    uint32_t frame, line;
};

bool cause_forbids(const struct cause_repair *r, const struct cause_run *run)
{
    uint32_t *node = alloc_zeroed(run->graph.events + 1, sizeof *node);
    struct whereabouts at[SEGMENT_ACTORS] = {{0}};
    for (uint32_t i = 0; i < run->graph.events; i++) {
        struct whereabouts *w = &at[run->graph.event[i].actor];
        const struct cause_block *block;
        const struct cause_place *p = place_in(r, run, i, &block);
        bool same = p && w->block == block && w->frame == p->frame && run->site[i].kept > p->frame &&
                    cause_goes_on(block, w->line, p->line);
        *w = (struct whereabouts){same ? w->node : i, p ? block : NULL, p ? p->frame : 0, p ? p->line : 0};
        node[i] = w->node;
    }
    bool circle = segments_circle(&run->graph, node);
    free(node);
    return circle;
}

// ---- from segments to blocks ----

// The n-th place of the event in an activation, or null.
static const struct cause_place *nth_place(const struct cause_run *run, uint32_t event, uint32_t frame, uint32_t n)
{
    const struct cause_site *site = &run->site[event];
    for (uint32_t i = 0; i < site->count; i++) {
        const struct cause_place *p = &run->place[site->first + i];
        if (p->frame == frame && !n--)
            return p;
    }
    return NULL;
}

static bool of_segment(const struct cause_run *run, const struct segment *s, uint32_t event)
{
    return run->graph.event[event].actor == run->graph.event[s->first].actor;
}

// The lines that the n-th function of the activation goes through in the segment. False if it is not one function.
static bool lines_of(const struct cause_run *run, const struct segment *s, uint32_t frame, uint32_t n,
                     struct cause_block *block)
{
    uint32_t before = 0;
    uint64_t address = 0;
    *block = (struct cause_block){.from = UINT32_MAX};
    for (uint32_t i = s->first; i <= s->last; i++) {
        if (!of_segment(run, s, i))
            continue;
        const struct cause_place *p = nth_place(run, i, frame, n);
        if (!p || (i > s->first && p->function != block->function))
            return false;
        block->function = p->function;
        block->from = p->line < block->from ? p->line : block->from;
        block->to = p->line > block->to ? p->line : block->to;
        block->loops |= p->line < before || (address && p->address == address); // a loop may have all of it in one line
        before = p->line;
        address = p->address;
    }
    return true;
}

// The innermost function that was under way all the time, and its lines.
static bool block_of(const struct cause_run *run, const struct segment *s, struct cause_block *block)
{
    uint32_t common = UINT32_MAX;
    struct cause_block inner;
    for (uint32_t i = s->first; i <= s->last; i++) {
        if (!of_segment(run, s, i))
            continue;
        const struct cause_site *site = &run->site[i];
        uint32_t alive =
            i == s->first ? (site->count ? run->place[site->first + site->count - 1].frame + 1 : 0) : site->kept;
        common = alive < common ? alive : common;
    }
    if (!common || !lines_of(run, s, common - 1, 0, block))
        return false;
    for (uint32_t n = 1; block->from == block->to && lines_of(run, s, common - 1, n, &inner); n++)
        *block = inner; // all in one call of an inlined function
    return true;
}

static bool repair_of_set(const struct cause_run *run, const struct segment_set *set, const struct cause_source *source,
                          struct cause_repair *repair)
{
    *repair = (struct cause_repair){0};
    for (uint32_t i = 0; i < set->count; i++) {
        struct cause_block block;
        if (!block_of(run, &set->segment[i], &block))
            return false;
        if (source)
            source->widen(source->context, &block);
        if (!add_block(repair, block))
            return false;
    }
    return true;
}

void cause_of_run(const struct cause_run *run, const struct cause_source *source, struct cause_repairs *repairs)
{
    struct segment_sets sets;
    segments_find(&run->graph, &sets);
    *repairs = (struct cause_repairs){0};
    for (size_t i = 0; i < sets.count; i++) {
        struct cause_repair repair;
        if (repair_of_set(run, &sets.set[i], source, &repair) && cause_forbids(&repair, run))
            cause_add(repairs, &repair);
    }
    segments_free(&sets);
}

// ---- several runs ----

static bool join(const struct cause_repair *one, const struct cause_repair *other, struct cause_repair *both)
{
    *both = *one;
    for (uint32_t i = 0; i < other->count; i++)
        if (!add_block(both, other->block[i]))
            return false;
    return true;
}

static uint64_t length_of(const struct cause_repair *r)
{
    uint64_t lines = 0;
    for (uint32_t i = 0; i < r->count; i++)
        lines += r->block[i].to - r->block[i].from + 1 + r->block[i].loops;
    return lines;
}

static int by_length(const void *a, const void *b)
{
    uint64_t x = length_of(a), y = length_of(b);
    return x < y ? -1 : x > y;
}

// Seed 001, §2.3.2.2: the product of what each run needs. A repair that forbids the run already is left as it is.
void cause_extend(struct cause_repairs *repairs, const struct cause_run *run, const struct cause_source *source)
{
    struct cause_repairs extended = {0}, needed = {0};
    bool asked = false;
    for (size_t i = 0; i < repairs->count; i++) {
        const struct cause_repair *r = &repairs->repair[i];
        if (cause_forbids(r, run)) {
            cause_add(&extended, r);
            continue;
        }
        if (!asked)
            cause_of_run(run, source, &needed);
        asked = true;
        for (size_t j = 0; j < needed.count; j++) {
            struct cause_repair both;
            if (join(r, &needed.repair[j], &both))
                cause_add(&extended, &both);
        }
    }
    cause_free(repairs);
    cause_free(&needed);
    *repairs = extended;
    if (repairs->count)
        qsort(repairs->repair, repairs->count, sizeof *repairs->repair, by_length);
    if (repairs->count > MOST_REPAIRS)
        repairs->count = MOST_REPAIRS;
}

static int by_rank(const void *a, const void *b)
{
    const struct cause_repair *x = a, *y = b;
    if (x->good != y->good)
        return x->good < y->good ? -1 : 1;
    return by_length(a, b);
}

void cause_rank(struct cause_repairs *repairs, const struct cause_run *runs, size_t count)
{
    for (size_t i = 0; i < repairs->count; i++) {
        struct cause_repair *r = &repairs->repair[i];
        r->bad = r->good = 0;
        for (size_t n = 0; n < count; n++)
            if (cause_forbids(r, &runs[n]))
                *(runs[n].bad ? &r->bad : &r->good) += 1;
    }
    if (repairs->count)
        qsort(repairs->repair, repairs->count, sizeof *repairs->repair, by_rank);
}
