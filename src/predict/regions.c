#include "predict/regions.h"

#include <stdlib.h>

#include "base/alloc.h"

const char *const bound_names[BOUND_KINDS] = {
    [BOUND_SECTION] = "sections",
    [BOUND_DECLARED] = "declared",
    [BOUND_ROUND] = "rounds",
    [BOUND_CALL] = "calls",
};

static void go_inside(struct region_line *line, uint32_t since, uint32_t region)
{
    line->since = alloc_reserve(line->since, line->change_count + 1, &line->since_room, sizeof *line->since);
    line->inside = alloc_reserve(line->inside, line->change_count + 1, &line->inside_room, sizeof *line->inside);
    line->since[line->change_count] = since;
    line->inside[line->change_count++] = region;
}

static uint32_t open_region(struct region_line *line, struct region region)
{
    line->regions = alloc_grow(line->regions, line->count, &line->room, sizeof *line->regions);
    line->regions[line->count] = region;
    go_inside(line, region.from, line->count);
    return line->count++;
}

// Ends the innermost region of that kind, and those in it whose ends are not recorded (as after longjmp).
static uint32_t close_region(struct region_line *line, uint32_t now, uint32_t kind, uint32_t position)
{
    uint32_t found = now;
    while (found && line->regions[found].kind != kind)
        found = line->regions[found].around;
    if (!found)
        return now; // it began before the recording did
    for (uint32_t k = now; k != line->regions[found].around; k = line->regions[k].around)
        line->regions[k].to = position;
    go_inside(line, position + 1, line->regions[found].around);
    return line->regions[found].around;
}

static void make_regions(struct region_line *line, const struct recording *r, const struct recorded_thread *thread)
{
    uint32_t last = thread->count ? thread->count - 1 : 0;
    uint32_t now = open_region(
        line,
        (struct region){.kind = REGION_FUNCTION, .from = 0, .to = last, .place = NOT_RECORDED, .around = NOT_RECORDED});
    for (uint32_t i = 0; i < thread->count; i++) {
        const struct record *e = &r->records[thread->records[i]];
        if (e->kind == RECORD_REGION_BEGIN) {
            line->calls |= e->object == REGION_FUNCTION;
            now = open_region(
                line, (struct region){.kind = e->object, .from = i, .to = last, .place = e->place, .around = now});
        } else if (e->kind == RECORD_REGION_END) {
            now = close_region(line, now, e->object, i);
        }
    }
}

void regions_make(struct regions *g, const struct model *m, unsigned kinds)
{
    *g = (struct regions){.m = m, .kinds = kinds, .lines = alloc_zeroed(m->r->thread_count, sizeof *g->lines)};
    for (uint32_t t = 0; t < m->r->thread_count; t++)
        make_regions(&g->lines[t], m->r, &m->r->threads[t]);
}

void regions_free(struct regions *g)
{
    for (uint32_t t = 0; t < g->m->r->thread_count; t++) {
        free(g->lines[t].regions);
        free(g->lines[t].since);
        free(g->lines[t].inside);
    }
    free(g->lines);
}

uint32_t regions_inside(const struct regions *g, uint32_t thread, uint32_t position)
{
    const struct region_line *line = &g->lines[thread];
    uint32_t low = 0, high = line->change_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (line->since[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return line->inside[low];
}

uint32_t regions_call(const struct regions *g, uint32_t thread, uint32_t position)
{
    const struct region_line *line = &g->lines[thread];
    uint32_t region = regions_inside(g, thread, position);
    while (region && line->regions[region].kind != REGION_FUNCTION)
        region = line->regions[region].around;
    return region;
}

// A section that spans both: of the newest lock.
static bool section_bound(const struct regions *g, uint32_t thread, uint32_t first, uint32_t second,
                          struct bound *bound)
{
    const struct section_line *line = &g->m->sections.lines[thread];
    uint32_t node = sections_held(&g->m->sections, thread, first);
    for (; node != NOT_RECORDED; node = line->held[node].below) {
        const struct section *s = &line->sections[line->held[node].section];
        if (!section_spans(s, first, second))
            continue;
        uint32_t from = g->m->r->threads[thread].records[s->from];
        *bound = (struct bound){.kind = BOUND_SECTION,
                                .thread = thread,
                                .from = s->from,
                                .to = s->to,
                                .lock = s->lock,
                                .place = g->m->r->records[from].place};
        return true;
    }
    return false;
}

// Whether a region counts for two accesses, and as what.
static bool region_counts(const struct regions *g, uint32_t thread, uint32_t region, uint32_t first, uint32_t second,
                          enum bound_kind *kind)
{
    const struct region_line *line = &g->lines[thread];
    const struct region *k = &line->regions[region];
    *kind = k->kind == REGION_ATOMIC ? BOUND_DECLARED : k->kind == REGION_ROUND ? BOUND_ROUND : BOUND_CALL;
    if (!(g->kinds >> *kind & 1))
        return false;
    if (*kind != BOUND_CALL || !line->calls)
        return true;
    if (region == 0)
        return false;
    bool outermost = k->around == 0;
    return !outermost || regions_call(g, thread, first) == region || regions_call(g, thread, second) == region;
}

bool regions_bound(const struct regions *g, uint32_t thread, uint32_t first, uint32_t second, struct bound *bound)
{
    const struct region_line *line = &g->lines[thread];
    if (g->kinds >> BOUND_SECTION & 1 && section_bound(g, thread, first, second, bound))
        return true;
    uint32_t region = regions_inside(g, thread, first);
    bool out_of_round = false; // one of the two is in a round that the other is not in
    while (region && line->regions[region].to < second) {
        out_of_round |= line->regions[region].kind == REGION_ROUND;
        region = line->regions[region].around;
    }
    uint32_t other = regions_inside(g, thread, second);
    bool other_out = false;
    for (; other != region && other; other = line->regions[other].around)
        other_out |= line->regions[other].kind == REGION_ROUND;
    if (out_of_round && other_out)
        return false; // in two rounds
    enum bound_kind kind;
    while (region != NOT_RECORDED && !region_counts(g, thread, region, first, second, &kind))
        region = line->regions[region].around;
    if (region == NOT_RECORDED)
        return false;
    const struct region *k = &line->regions[region];
    *bound = (struct bound){
        .kind = kind, .thread = thread, .from = k->from, .to = k->to, .lock = NOT_RECORDED, .place = k->place};
    return true;
}
