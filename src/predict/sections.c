#include "predict/sections.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "predict/semaphore_locks.h"

static uint32_t top_of(const struct section_line *line)
{
    return line->change_count ? line->changes[line->change_count - 1].node : NOT_RECORDED;
}

static void change_held(struct section_line *line, uint32_t since, uint32_t node)
{
    line->changes = alloc_grow(line->changes, line->change_count, &line->change_room, sizeof *line->changes);
    line->changes[line->change_count++] = (struct held_change){since, node};
}

static uint32_t push_held(struct section_line *line, uint32_t section, uint32_t below)
{
    line->held = alloc_grow(line->held, line->held_count, &line->held_room, sizeof *line->held);
    line->held[line->held_count] = (struct held){section, below};
    return line->held_count++;
}

// The list without one of its sections.
static uint32_t without(struct section_line *line, uint32_t node, uint32_t section)
{
    if (node == NOT_RECORDED)
        return node;
    struct held top = line->held[node];
    if (top.section == section)
        return top.below;
    uint32_t below = without(line, top.below, section);
    return push_held(line, top.section, below);
}

static uint32_t open_section(const struct section_line *line, uint32_t lock)
{
    for (uint32_t node = top_of(line); node != NOT_RECORDED; node = line->held[node].below)
        if (line->sections[line->held[node].section].lock == lock)
            return line->held[node].section;
    return NOT_RECORDED;
}

static void take_lock(struct section_line *line, uint32_t lock, uint32_t position, bool shared)
{
    line->sections = alloc_grow(line->sections, line->count, &line->room, sizeof *line->sections);
    line->sections[line->count] =
        (struct section){.lock = lock, .from = position, .to = NOT_RECORDED, .held = top_of(line), .shared = shared};
    change_held(line, position + 1, push_held(line, line->count, top_of(line)));
    line->count++;
}

// A recording with gaps may let go of what nobody holds.
static void let_go(struct section_line *line, uint32_t section, uint32_t position)
{
    if (section == NOT_RECORDED)
        return;
    line->sections[section].to = position;
    change_held(line, position + 1, without(line, top_of(line), section));
}

// What the records of a semaphore that is used as a lock would be of a mutex.
static enum record_kind kind_of(const struct record *e, const bool *semaphores)
{
    if (e->kind == RECORD_TAKE && semaphores[e->object])
        return RECORD_LOCK;
    return e->kind == RECORD_POST && semaphores[e->object] ? RECORD_UNLOCK : e->kind;
}

// One thread's sections. `depth` counts for each lock how often it was taken and not let go.
static void make_line(struct section_line *line, const struct recording *r, const struct recorded_thread *thread,
                      const bool *semaphores, uint32_t *depth)
{
    for (uint32_t i = 0; i < thread->count; i++) {
        const struct record *e = &r->records[thread->records[i]];
        enum record_kind kind = kind_of(e, semaphores);
        bool takes = (kind == RECORD_LOCK || kind == RECORD_LOCK_SHARED) && !(e->flags & RECORD_FAILED);
        bool waits = e->kind == RECORD_WAIT_BEGIN || e->kind == RECORD_WAIT_END;
        uint32_t lock = waits ? e->other : e->object;
        if (takes && depth[lock]++ == 0)
            take_lock(line, lock, i, e->kind == RECORD_LOCK_SHARED);
        if (kind == RECORD_UNLOCK && depth[lock] && --depth[lock] == 0)
            let_go(line, open_section(line, lock), i);
        if (e->kind == RECORD_WAIT_BEGIN && depth[lock])
            let_go(line, open_section(line, lock), i);
        if (e->kind == RECORD_WAIT_END && depth[lock])
            take_lock(line, lock, i, false);
    }
    for (uint32_t i = 0; i < line->count; i++)
        depth[line->sections[i].lock] = 0;
}

// So that what is held at some moment is found without a search through all of the thread's sections.
static void index_changes(struct section_line *line, uint32_t records)
{
    uint32_t change = 0, stretches = (records + 1) / SECTIONS_STRETCH + 2;
    line->known = alloc_array(stretches, sizeof *line->known);
    for (uint32_t i = 0; i < stretches; i++) {
        while (change < line->change_count && line->changes[change].since <= (uint64_t)i * SECTIONS_STRETCH)
            change++;
        line->known[i] = change;
    }
}

void sections_make(struct sections *s, const struct recording *r)
{
    *s = (struct sections){.r = r, .lines = alloc_zeroed(r->thread_count, sizeof *s->lines)};
    uint32_t *depth = alloc_zeroed(r->object_count, sizeof *depth);
    bool *semaphores = semaphore_locks(r);
    for (uint32_t t = 0; t < r->thread_count; t++) {
        make_line(&s->lines[t], r, &r->threads[t], semaphores, depth);
        index_changes(&s->lines[t], r->threads[t].count);
    }
    free(depth);
    free(semaphores);
}

void sections_free(struct sections *s)
{
    for (uint32_t t = 0; t < s->r->thread_count; t++) {
        free(s->lines[t].sections);
        free(s->lines[t].held);
        free(s->lines[t].changes);
        free(s->lines[t].known);
    }
    free(s->lines);
}

// How many changes there have been once the thread has done so many records.
static uint32_t changes_until(const struct section_line *line, uint32_t done)
{
    uint32_t low = line->known[done / SECTIONS_STRETCH], high = line->known[done / SECTIONS_STRETCH + 1];
    while (low < high && line->changes[low].since <= done)
        low++;
    return low;
}

uint32_t sections_held(const struct sections *s, uint32_t thread, uint32_t done)
{
    const struct section_line *line = &s->lines[thread];
    uint32_t changes = changes_until(line, done);
    return changes ? line->changes[changes - 1].node : NOT_RECORDED;
}

uint32_t sections_unchanged(const struct sections *s, uint32_t thread, uint32_t done)
{
    const struct section_line *line = &s->lines[thread];
    uint32_t changes = changes_until(line, done);
    return changes < line->change_count ? line->changes[changes].since - 1 : UINT32_MAX;
}

uint32_t sections_common(const struct sections *s, uint32_t thread, uint32_t done, uint32_t other, uint32_t other_done)
{
    const struct section_line *a = &s->lines[thread], *b = &s->lines[other];
    uint32_t theirs = sections_held(s, other, other_done);
    for (uint32_t n = sections_held(s, thread, done); n != NOT_RECORDED; n = a->held[n].below)
        for (uint32_t m = theirs; m != NOT_RECORDED; m = b->held[m].below)
            if (sections_exclude(&a->sections[a->held[n].section], &b->sections[b->held[m].section]))
                return a->sections[a->held[n].section].lock;
    return NOT_RECORDED;
}
