#include "target/threads/memory/defined.h"

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/memory/arena.h"
#include "target/threads/memory/heap.h"

enum { SITES = 1 << 17, MOST_SITES = SITES / 2, GROUP = 64 /* bytes of the program in a word of marks */ };

static struct {
    uint64_t *marks; // a bit for each byte below SHADOW_LOW_END: nobody has written it
    const struct defined_site **site;
    uint32_t sites;
} defined;

// ---- sites ----

static uint64_t pc_of(const struct defined_site *site)
{
    return (uint64_t)((int64_t)(uintptr_t)&site->pc + site->pc);
}

static const struct defined_site **site_slot(uint64_t pc)
{
    uint32_t at = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 47);
    while (defined.site[at] && pc_of(defined.site[at]) != pc)
        at = (at + 1) % SITES;
    return &defined.site[at];
}

static const struct defined_site *find_site(const void *pc, uint32_t kind)
{
    const struct defined_site *site = defined.site ? *site_slot((uint64_t)(uintptr_t)pc) : NULL;
    return site && site->kind == kind ? site : NULL;
}

const struct defined_site *defined_entry(uint64_t pc)
{
    return find_site((const void *)(uintptr_t)pc, DEFINED_ENTRY);
}

PUBLIC void __heddle_defined(const struct defined_unit *unit)
{
    if (!defined.site)
        defined.site = mem_reserve(SITES * sizeof *defined.site);
    for (uint64_t i = 0; i < unit->sites && defined.sites < MOST_SITES; i++) { // what has no room is not known
        const struct defined_site **slot = site_slot(pc_of(&unit->site[i]));
        defined.sites += !*slot;
        *slot = &unit->site[i];
    }
}

// ---- marks ----

static bool is_followed(uint64_t start, uint64_t size)
{
    return start >= HEAPS_START && start + size <= STACKS_END;
}

static uint64_t mask_of_group(uint64_t group, uint64_t start, uint64_t end)
{
    uint64_t from = start > group ? start - group : 0, until = end < group + GROUP ? end - group : GROUP;
    return (until == GROUP ? UINT64_MAX : (1ull << until) - 1) & ~((1ull << from) - 1);
}

static void mark_bytes(uint64_t start, uint64_t size, bool unwritten)
{
    if (!size || !is_followed(start, size))
        return;
    if (!defined.marks)
        defined.marks = mem_reserve(SHADOW_LOW_END / 8);
    for (uint64_t group = start & ~(uint64_t)(GROUP - 1); group < start + size; group += GROUP) {
        uint64_t *marks = &defined.marks[group / GROUP], mask = mask_of_group(group, start, start + size);
        if ((*marks & mask) == (unwritten ? mask : 0))
            continue;
        undo_save_word(&engine.undo, marks);
        *marks = unwritten ? *marks | mask : *marks & ~mask;
    }
}

static bool is_marked(uint64_t address)
{
    return defined.marks && defined.marks[address / GROUP] >> (address % GROUP) & 1;
}

void defined_fresh(uint64_t start, uint64_t size)
{
    if (heap_fresh_byte(start))
        mark_bytes(start, size, true);
}

void defined_note_write(uint64_t start, uint64_t size)
{
    if (defined.marks)
        mark_bytes(start, size, false);
}

void defined_note_copy(uint64_t to, uint64_t from, uint64_t size)
{
    if (!defined.marks || !is_followed(from, size))
        return;
    for (uint64_t i = 0; i < size; i++)
        if (is_marked(from + i) && *(const uint8_t *)(uintptr_t)(to + i) == heap_fresh_byte(to + i))
            mark_bytes(to + i, 1, true);
}

static void fill_fresh(uint64_t start, uint64_t end)
{
    if (start >= end || !heap_fresh_byte(start))
        return;
    heap_fill_fresh((void *)(uintptr_t)start, end - start);
    mark_bytes(start, end - start, true);
}

void defined_enter(uint64_t sp, const void *pc)
{
    const struct defined_site *site = find_site(pc, DEFINED_ENTRY);
    if (!site || sp < STACKS_START || !is_followed(sp, site->size))
        return;
    const struct defined_range *set =
        (const struct defined_range *)((uintptr_t)&site->set + (uintptr_t)(intptr_t)site->set);
    uint64_t from = sp;
    for (uint32_t i = 0; i < site->ranges; i++) {
        fill_fresh(from, sp + set[i].from);
        if (sp + set[i].until > from)
            from = sp + set[i].until;
    }
    fill_fresh(from, sp + site->size);
}

// ---- reads ----

static bool is_unwritten(uint64_t address, uint64_t size)
{
    for (uint64_t a = address; a < address + size; a++)
        if (!is_marked(a) || *(const uint8_t *)(uintptr_t)a != heap_fresh_byte(a))
            return false;
    return true;
}

// Four bytes that nobody knows of do not hold by chance what fresh memory holds; one or two may. In a block, hooks and the known
// functions of the C library tell of every write, but for those of unknown libraries and of atomic operations. In a frame the compiler
// writes without hooks.
static bool is_certain(uint64_t address, uint64_t size)
{
    if (size >= 4)
        return true;
    if (address >= STACKS_START)
        return is_unwritten(address & ~3ull, 4);
    return !engine.foreign && !shadow_cell(&engine.races.shadow, address)->object;
}

void defined_look(struct thread *t, uint64_t address, uint32_t size, const void *pc)
{
    if (!defined.marks || !is_followed(address, size) || !is_marked(address) || !is_unwritten(address, size) ||
        !is_certain(address, size) || !find_site(pc, DEFINED_READ))
        return;
    fail(t, BUG_UNINITIALISED, address, pc, "takes a branch by %u byte%s that nobody has written", size,
         size > 1 ? "s" : "");
}

void defined_look_at_text(struct thread *t, uint64_t address, uint64_t size, const void *pc)
{
    if (!defined.marks || !is_followed(address, size))
        return;
    for (uint64_t a = address; a < address + size; a++)
        if (is_marked(a) && is_unwritten(a, 1) && is_certain(a, 1)) {
            fail(t, BUG_UNINITIALISED, a, pc, "looks for the end of a text among bytes that nobody has written");
            return;
        }
}

static bool is_garbage(uint64_t address)
{
    return is_followed(address, 1) && is_marked(address) && is_unwritten(address, 1) && is_certain(address, 1);
}

// If something that was written differs further behind, the two are not equal, whatever stands here.
void defined_look_at_difference(struct thread *t, uint64_t one, uint64_t other, uint64_t rest, const void *pc)
{
    if (!defined.marks || (!is_garbage(one) && !is_garbage(other)))
        return;
    for (uint64_t i = 1; i <= rest; i++)
        if (*(const uint8_t *)(uintptr_t)(one + i) != *(const uint8_t *)(uintptr_t)(other + i) &&
            !is_garbage(one + i) && !is_garbage(other + i))
            return;
    fail(t, BUG_UNINITIALISED, is_garbage(one) ? one : other, pc, "compares bytes that nobody has written");
}
