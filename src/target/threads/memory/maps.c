#define _GNU_SOURCE
#include "target/threads/memory/maps.h"

#include <signal.h>
#include <sys/mman.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/heap.h"

enum { PAGE = 4096, MOST = 1 << 16, GAP = PAGE };

uint64_t maps_count;

enum { MOST_CLAIMED = 256 };

static struct {
    struct map *map;           // by address, none of them empty, none overlapping
    uint64_t next[MAX_ACTORS]; // in each region; 0: nothing was mapped there
    uint64_t used[MAX_ACTORS]; // survives: the highest that it ever was
    struct {
        uint64_t start, end;
    } claimed[MOST_CLAIMED]; // survive
    uint32_t claimed_count;
} maps;

// ---- the table ----

static void maps_begin(void)
{
    if (!maps.map)
        maps.map = mem_reserve((MOST + 4) * sizeof *maps.map);
}

static uint64_t maps_region(uint32_t actor)
{
    return MAPS_START + (actor ? MAPS_MAIN_SIZE + actor * MAPS_SIZE : 0);
}

static uint64_t region_end(uint32_t actor)
{
    return maps_region(actor) + (actor ? MAPS_SIZE : MAPS_MAIN_SIZE);
}

static void maps_reach(uint32_t actor, uint64_t end)
{
    undo_save_word(&engine.undo, &maps.next[actor]);
    maps.next[actor] = end + GAP;
    if (maps.used[actor] < end + GAP)
        maps.used[actor] = end + GAP;
}

// Leaves a gap behind each range, so that running over its end is seen. Large ranges are aligned as allocators like them.
uint64_t maps_room(struct thread *t, uint64_t size)
{
    uint64_t next = maps.next[t->actor], start = next ? next : maps_region(t->actor);
    uint64_t alignment = PAGE;
    while (alignment < size && alignment < 64u << 20)
        alignment *= 2;
    start = (start + alignment - 1) & ~(alignment - 1);
    uint64_t end = region_end(t->actor);
    if (start >= end || size >= end - start - GAP)
        return 0;
    maps_reach(t->actor, start + size);
    return start;
}

bool maps_extend(struct thread *t, uint64_t end, uint64_t by)
{
    if (!end || maps.next[t->actor] != end + GAP || region_end(t->actor) - end <= by + GAP)
        return false;
    maps_reach(t->actor, end + by);
    return true;
}

bool maps_claim(uint64_t start, uint64_t end)
{
    for (uint32_t i = 0; i < maps.claimed_count; i++)
        if (start >= maps.claimed[i].start && end <= maps.claimed[i].end)
            return true;
    void *at = (void *)(uintptr_t)start;
    if (start < 65536 || end > 1ull << 46 || maps.claimed_count == MOST_CLAIMED || !mem_reserve_at(at, end - start))
        return false;
    maps.claimed[maps.claimed_count].start = start;
    maps.claimed[maps.claimed_count++].end = end;
    return true;
}

static uint32_t index_above(uint64_t address)
{
    uint32_t low = 0, high = (uint32_t)maps_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (maps.map[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct map *maps_above(uint64_t address)
{
    uint32_t i = index_above(address);
    return i < maps_count ? &maps.map[i] : NULL;
}

bool maps_cover(uint64_t start, uint64_t end)
{
    for (uint32_t i = index_above(start); start < end; i++) {
        if (i == maps_count || maps.map[i].start > start || maps.map[i].gone)
            return false;
        start = maps.map[i].end;
    }
    return true;
}

static bool are_alike(const struct map *a, const struct map *b)
{
    return a->end == b->start && a->access == b->access && a->shared == b->shared && !(a->file | b->file) &&
           !(a->gone | b->gone);
}

bool maps_piece(uint64_t start, uint64_t end, struct map *piece)
{
    uint32_t i = index_above(start);
    if (i == maps_count || maps.map[i].start > start || maps.map[i].gone)
        return false;
    *piece = maps.map[i];
    for (; piece->end < end && i + 1 < maps_count && are_alike(&maps.map[i], &maps.map[i + 1]); i++)
        piece->end = maps.map[i + 1].end;
    piece->start = start;
    return piece->end >= end;
}

bool maps_overlap(uint64_t start, uint64_t end)
{
    for (uint32_t i = index_above(start); i < maps_count && maps.map[i].start < end; i++)
        if (!maps.map[i].gone)
            return true;
    return false;
}

void maps_set(const struct map *as)
{
    struct map parts[3];
    maps_begin();
    uint32_t first = index_above(as->start), last = first, count = 0;
    while (last < maps_count && maps.map[last].start < as->end)
        last++;
    if (first < last && maps.map[first].start < as->start) {
        parts[count] = maps.map[first];
        parts[count++].end = as->start;
    }
    parts[count++] = *as;
    if (first < last && maps.map[last - 1].end > as->end) {
        parts[count] = maps.map[last - 1];
        parts[count++].start = as->end;
    }
    uint32_t after = (uint32_t)maps_count - last;
    if (first + count + after > MOST)
        unsupported(engine.running, "the program maps memory in more pieces than heddle keeps track of (65,536)");
    uint32_t touched = first + count == last ? count : count + after;
    undo_save(&engine.undo, &maps.map[first], (touched > last - first ? touched : last - first) * sizeof *maps.map);
    undo_save_word(&engine.undo, &maps_count);
    plain_move(&maps.map[first + count], &maps.map[last], after * sizeof *maps.map);
    plain_move(&maps.map[first], parts, count * sizeof *maps.map);
    maps_count = first + count + after;
}

// ---- pages ----

void maps_each_page(uint64_t start, uint64_t end, void (*page)(uint64_t address, void *context), void *context)
{
    enum { PORTION = 1024 };
    unsigned char there[PORTION];
    for (uint64_t at = start; at < end; at += (uint64_t)PORTION * PAGE) {
        uint64_t pages = (end - at) / PAGE < PORTION ? (end - at) / PAGE : PORTION;
        if (NATIVE(mincore)((void *)(uintptr_t)at, pages * PAGE, there)) // some are not mapped
            for (uint64_t i = 0; i < pages; i++)
                there[i] = !NATIVE(mincore)((void *)(uintptr_t)(at + i * PAGE), PAGE, &there[i]) && there[i];
        for (uint64_t i = 0; i < pages; i++)
            if (there[i] & 1)
                page(at + i * PAGE, context);
    }
}

static void keep_page(uint64_t address, void *none)
{
    (void)none;
    undo_save(&engine.undo, (const void *)(uintptr_t)address, PAGE);
}

void maps_keep(uint64_t start, uint64_t end)
{
    maps_each_page(start, end, keep_page, NULL);
}

// What the kernel lets the program do there. States are compared by reading what the log has, so there it may do everything.
static void maps_let(const struct map *m, int access)
{
    if (!engine.matching)
        NATIVE(mprotect)((void *)(uintptr_t)m->start, m->end - m->start, access);
}

static bool is_closed(const struct map *m)
{
    return m->gone || m->access != (PROT_READ | PROT_WRITE);
}

void maps_open(void)
{
    for (uint32_t i = 0; i < maps_count; i++)
        if (is_closed(&maps.map[i]))
            maps_let(&maps.map[i], PROT_READ | PROT_WRITE);
}

void maps_close(void)
{
    for (uint32_t i = 0; i < maps_count; i++)
        if (is_closed(&maps.map[i]))
            maps_let(&maps.map[i], maps.map[i].gone ? PROT_NONE : maps.map[i].access);
}

void maps_open_range(uint64_t start, uint64_t end)
{
    for (uint32_t i = index_above(start); i < maps_count && maps.map[i].start < end; i++)
        if (is_closed(&maps.map[i]))
            maps_let(&maps.map[i], PROT_READ | PROT_WRITE);
}

void maps_renew(void)
{
    for (uint32_t i = 0; i < maps.claimed_count; i++)
        NATIVE(munmap)((void *)(uintptr_t)maps.claimed[i].start, maps.claimed[i].end - maps.claimed[i].start);
    maps.claimed_count = 0;
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        if (maps.used[actor])
            NATIVE(munmap)((void *)(uintptr_t)maps_region(actor), maps.used[actor] - maps_region(actor));
}

// ---- who may access what ----

uint32_t maps_recorded(uint64_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

// Calls `page` with the cells of each page of the range of which there are any.
static void each_shadow_page(struct thread *t, uint64_t start, uint64_t end, const void *pc,
                             void (*page)(struct thread *t, uint64_t address, const void *pc))
{
    for (uint64_t at = start; at < end; at += PAGE)
        if (shadow_knows(&engine.races.shadow, at))
            page(t, at, pc);
}

static void free_page(struct thread *t, uint64_t address, const void *pc)
{
    heap_mark_freed(t, address, PAGE, pc);
}

static void close_part(struct thread *t, struct map m, uint64_t start, uint64_t end, const void *pc)
{
    m.start = m.start > start ? m.start : start;
    m.end = m.end < end ? m.end : end;
    m.gone = true;
    m.pc = (uint64_t)(uintptr_t)pc;
    if (engine.record)
        record_silent(t, SILENT_UNMAP, m.start, 0, maps_recorded(m.end - m.start), pc);
    each_shadow_page(t, m.start, m.end, pc, free_page);
    maps_set(&m);
    maps_let(&m, PROT_NONE);
}

void maps_close_range(struct thread *t, uint64_t start, uint64_t end, const void *pc)
{
    const struct map *m;
    for (uint64_t at = start; at < end && (m = maps_above(at)) && m->start < end;) {
        at = m->end < end ? m->end : end;
        if (!m->gone)
            close_part(t, *m, start, end, pc);
    }
}

static void renew_page(struct thread *t, uint64_t address, const void *pc)
{
    (void)t;
    (void)pc;
    heap_forget_freed(address, PAGE);
}

static void reach_fixed(struct thread *t, uint64_t end)
{
    uint32_t actor = 0;
    while (actor < MAX_ACTORS && (end <= maps_region(actor) || end > region_end(actor)))
        actor++;
    if (actor == MAX_ACTORS || (maps.next[actor] ? maps.next[actor] : maps_region(actor)) >= end + GAP)
        return;
    if (actor != t->actor)
        unsupported(t,
                    "the program maps memory where another of its threads would get it: let mmap choose the address");
    maps_reach(actor, end);
}

void maps_replace(struct thread *t, uint64_t start, uint64_t end, const void *pc)
{
    reach_fixed(t, end);
    maps_close_range(t, start, end, pc);
    maps_open_range(start, end);
    maps_keep(start, end);
    each_shadow_page(t, start, end, pc, renew_page);
}

static void look_at_page(struct thread *t, uint64_t address, const void *pc, bool write)
{
    struct cell *cell = shadow_cell(&engine.races.shadow, address);
    for (uint64_t a = address; a < address + PAGE; a += 8, cell++) {
        uint8_t racing = race_passing(&engine.races, &t->know, cell, UINT8_MAX, write);
        if (racing)
            fail_races(t, a, racing, write, pc, true);
    }
    fail_range(t, write, pc);
}

static void protect_as_write(struct thread *t, uint64_t address, const void *pc)
{
    look_at_page(t, address, pc, true);
}

static void protect_as_read(struct thread *t, uint64_t address, const void *pc)
{
    look_at_page(t, address, pc, false);
}

// Whether an access that is not ordered with it goes through depends on which comes first: that is a race, of any access with a
// change of what may be read, and of writes with a change of what may be written.
static void protect_part(struct thread *t, struct map m, uint8_t access, const void *pc)
{
    uint8_t changed = m.access ^ access;
    bool matters = changed & (PROT_READ | PROT_WRITE);
    bool like_write = changed & PROT_READ;
    if (engine.record && matters)
        record_access(t, m.start, maps_recorded(m.end - m.start), like_write, pc);
    if (matters && engine.strangers && engine.check_races)
        each_shadow_page(t, m.start, m.end, pc, like_write ? protect_as_write : protect_as_read);
    if (matters)
        maps_changed(t, &m, !like_write);
    m.access = access;
    m.pc = (uint64_t)(uintptr_t)pc;
    maps_set(&m);
    maps_let(&m, access);
}

void maps_protect(struct thread *t, uint64_t start, uint64_t end, uint8_t access, const void *pc)
{
    for (uint64_t at = start; at < end;) {
        struct map m = *maps_above(at);
        m.start = m.start > start ? m.start : start;
        m.end = m.end < end ? m.end : end;
        at = m.end;
        protect_part(t, m, access, pc);
    }
}

static bool maps_may(const struct map *m, bool write)
{
    return !m->gone && m->access & (write ? PROT_WRITE : PROT_READ | PROT_WRITE | PROT_EXEC);
}

static void maps_tell(struct thread *t, const struct map *m, uint64_t address, bool write, const void *pc)
{
    const char *how = write ? "writes" : "reads";
    if (m->gone)
        fail(t, BUG_USE_AFTER_UNMAP, address, pc, "%s memory that was unmapped", how);
    else
        fail_signal(t, SIGSEGV, address, pc, "segmentation fault: %s memory that is mapped %s", how,
                    m->access ? "read-only" : "without access");
}

bool maps_explain(struct thread *t, uint64_t address, bool write, const void *pc)
{
    const struct map *m = maps_above(address);
    bool known = m && m->start <= address && !maps_may(m, write);
    if (known)
        maps_tell(t, m, address, write, pc);
    return known;
}

void maps_changed(struct thread *t, struct map *m, bool for_writes_only)
{
    if (!engine.strangers || !engine.check_races)
        return;
    *(for_writes_only ? &m->sealed : &m->epoch) = t->know.epoch;
    engine.journal.opaque = true;
    t->know.used = 1;
}

// The epoch of a change that the thread had to know of and does not; 0 if there is none.
static uint32_t unknown_change(const struct thread *t, const struct map *m, bool write)
{
    if (!engine.check_races)
        return 0;
    if (m->epoch && !know_before(&engine.races, &t->know, m->epoch))
        return m->epoch;
    return write && m->sealed && !know_before(&engine.races, &t->know, m->sealed) ? m->sealed : 0;
}

static void tell_unordered(struct thread *t, const struct map *m, uint64_t address, uint64_t end, bool write,
                           const void *pc)
{
    uint64_t from = address > m->start ? address : m->start, until = end < m->end ? end : m->end;
    fail_race(t, from, (uint32_t)(until - from), write, unknown_change(t, m, write) >> EPOCH_SHIFT, pc);
}

// The first range of an access that forbids it, or was protected by somebody whose doing the thread does not know of.
static const struct map *maps_trouble(struct thread *t, uint64_t address, uint64_t end, bool write)
{
    for (uint32_t i = index_above(address); i < maps_count && maps.map[i].start < end; i++) {
        const struct map *m = &maps.map[i];
        if (!maps_may(m, write) || unknown_change(t, m, write))
            return m;
    }
    return NULL;
}

RARE void maps_look(struct thread *t, uint64_t address, uint64_t size, bool write, const void *pc)
{
    const struct map *m = maps_count ? maps_trouble(t, address, address + size, write) : NULL;
    if (!m)
        return;
    if (maps_may(m, write)) {
        tell_unordered(t, m, address, address + size, write, pc);
        return;
    }
    if (engine.record)
        record_access(t, address, (uint32_t)size, write, pc);
    maps_tell(t, m, address > m->start ? address : m->start, write, pc);
    fail_stop(t);
}

// The place where a thread goes on after its operation has failed.
static void stop_resumed(void)
{
    fail_stop(engine.running);
}

RARE bool maps_forbid(struct thread *t, bool write)
{
    const struct request *r = &t->request;
    const struct map *m = maps_count && r->size ? maps_trouble(t, r->address, r->address + r->size, write) : NULL;
    if (m && maps_may(m, write))
        tell_unordered(t, m, r->address, r->address + r->size, write, r->pc);
    if (!m || maps_may(m, write))
        return false;
    maps_tell(t, m, r->address, write, r->pc);
    if (engine.running == t || engine.real)
        fail_stop(t);
    void **top = (void **)(((uintptr_t)t->sp - 256) & ~(uintptr_t)63);
    *--top = NULL; // as if it had been called
    *--top = (void *)stop_resumed;
    t->sp = top;
    return true;
}

// ---- what it holds ----

static void hash_page(uint64_t address, void *hash)
{
    const uint64_t *word = (const uint64_t *)(uintptr_t)address;
    uint64_t *sum = hash;
    for (size_t i = 0; i < PAGE / sizeof *word; i++)
        if (word[i]) // a page that was never touched is as good as one of zeros
            *sum = (*sum ^ (address + i) ^ word[i]) * 0x9e3779b97f4a7c15u;
}

uint64_t maps_hash(uint64_t hash)
{
    for (uint32_t i = 0; i < maps_count; i++)
        if (!maps.map[i].gone && maps.map[i].access & PROT_READ)
            maps_each_page(maps.map[i].start, maps.map[i].end, hash_page, &hash);
    return hash;
}

struct wanted {
    uint64_t start, end;
    bool found;
};

static void search_page(uint64_t address, void *wanted)
{
    struct wanted *w = wanted;
    const uint64_t *word = (const uint64_t *)(uintptr_t)address;
    for (size_t i = 0; i < PAGE / sizeof *word; i++)
        w->found |= word[i] >= w->start && word[i] < w->end;
}

bool maps_point_into(uint64_t start, uint64_t end)
{
    struct wanted w = {start, end > start ? end : start + 1, false};
    for (uint32_t i = 0; i < maps_count && !w.found; i++)
        if (!maps.map[i].gone && maps.map[i].access & PROT_READ)
            maps_each_page(maps.map[i].start, maps.map[i].end, search_page, &w);
    return w.found;
}
