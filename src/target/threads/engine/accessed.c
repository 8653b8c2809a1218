#include "target/threads/engine/accessed.h"

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine/arguments.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/spelling.h"

enum { SLOTS = ACCESSED_CELLS * 2 };

static struct {
    // Cells that accesses of the execution at hand were noted in, by their slots; how many after each event.
    uint32_t *cells;
    uint32_t cell_count, *counts;
    // Every cell that was ever noted, and where it stands among those, if it does. This is not taken back.
    struct slot {
        struct cell *cell;
        uint32_t at;
        uint16_t owner; // the only actor that was seen to access it, plus 1
        bool met;       // there were others, or there may have been
        bool written;   // it was not only read
    } * slots;
    uint32_t *distinct, distinct_count; // the slots that are used
    uint32_t places;                    // synchronisation objects that there were when it was last looked at
    uint32_t renewals;
    bool grown, all; // a cell has come to belong to states since it was last asked; every cell does
} words;

void accessed_prepare(bool all)
{
    words.all = all;
    if (words.cells)
        return;
    words.cells = mem_reserve(ACCESSED_CELLS * sizeof *words.cells);
    words.distinct = mem_reserve(ACCESSED_CELLS * sizeof *words.distinct);
    words.counts = mem_reserve((engine.exec.limit + 2ull) * sizeof *words.counts);
    words.slots = mem_reserve(SLOTS * sizeof *words.slots);
}

bool accessed_address(const struct cell *cell, uint64_t *address)
{
    uint64_t low = (uint64_t)(uintptr_t)cell - (uint64_t)(uintptr_t)engine.races.shadow.low;
    *address = low / sizeof(struct cell) * 8;
    return low < SHADOW_LOW_END / 8 * sizeof(struct cell);
}

static bool belongs_to_states(const struct slot *slot)
{
    return (slot->met && slot->written) || words.all;
}

// Takes in more of how a word is used: who its first user is (plus 1; 0: nobody new), that there are others, that it is written.
// If it belongs to states by that, and did not before, states may have left it out.
static void learn_use(struct slot *slot, uint32_t owner, bool met, bool written)
{
    bool known = slot->owner || slot->met, belonged = slot->met && slot->written;
    struct word_use use = {owner ? owner : slot->owner, slot->met || met, slot->written || written};
    if (use.owner == slot->owner && use.met == slot->met && use.written == slot->written)
        return;
    bool grown = known && !belonged && use.met && use.written;
    if (commons_are_open())
        grown = commons_see(slot->cell, &use, known);
    words.grown |= grown;
    slot->owner = (uint16_t)use.owner;
    slot->met = use.met;
    slot->written = use.written;
}

static void use_in_any_way(struct slot *slot)
{
    learn_use(slot, 0, true, true);
}

// Whether others may take the actor's place, and then access the same: it is not memory of its own.
static bool stands_for_others(const struct slot *slot, uint32_t actor)
{
    uint64_t address, offset;
    if (!engine.alike || likeness_kin(actor) == actor)
        return false;
    return !accessed_address(slot->cell, &address) || spelling_owner(address, &offset) != actor;
}

static void see_accessor(struct slot *slot, uint32_t actor, bool writes)
{
    bool others = (slot->owner && slot->owner != actor + 1) || stands_for_others(slot, actor);
    learn_use(slot, slot->owner || slot->met || others ? 0 : actor + 1, others, writes);
}

static void see_epoch(struct slot *slot, uint32_t epoch, bool writes)
{
    if (epoch)
        see_accessor(slot, epoch >> EPOCH_SHIFT, writes);
}

static void see_readers(struct slot *slot, uint32_t row)
{
    const uint32_t *times = engine.races.readers + (size_t)row * READER_WIDTH;
    for (uint32_t actor = 0; actor < engine.races.clocks.width; actor++)
        if (times[actor])
            see_accessor(slot, actor, false);
}

static void see_parts(struct slot *slot, const struct part *parts)
{
    for (uint32_t byte = 0; byte < 8; byte++) {
        see_epoch(slot, parts[byte].write, true);
        if (parts[byte].read & PART_ROW)
            see_readers(slot, parts[byte].read & ~PART_ROW);
        else
            see_epoch(slot, parts[byte].read, false);
    }
}

// Who has accessed the cell, by what stands in it after the newest event. Whoever frees it leaves no epoch. That a word was accessed in
// parts, or by several readers, says nothing by itself: it depends on what everybody knows of by now, which is no part of states.
static void see_accessors(struct slot *slot)
{
    const struct cell *cell = slot->cell;
    uint64_t address;
    if ((slot->met && slot->written) || (accessed_address(cell, &address) && arguments_keep_apart(address)))
        return;
    if (cell->object) {
        use_in_any_way(slot);
        return;
    }
    see_epoch(slot, cell->write, true);
    if (cell->state & CELL_SPLIT)
        see_parts(slot, engine.races.parts[cell->read]);
    else if (cell->state & CELL_SHARED)
        see_readers(slot, cell->read);
    else
        see_epoch(slot, cell->read, false);
    if (cell->state & CELL_FREED)
        see_accessor(slot, engine.exec.count ? engine.exec.events[engine.exec.count - 1].actor : 0, true);
}

static struct slot *slot_of(struct cell *cell)
{
    uint64_t at = (uint64_t)(uintptr_t)cell * 0x9e3779b97f4a7c15u >> 40 & (SLOTS - 1);
    while (words.slots[at].cell && words.slots[at].cell != cell)
        at = (at + 1) & (SLOTS - 1);
    if (!words.slots[at].cell) {
        require_room(words.distinct_count < ACCESSED_CELLS / 2,
                     "words that are accessed while states are compared (2097152)");
        words.slots[at].cell = cell;
        words.distinct[words.distinct_count++] = (uint32_t)at;
    }
    return &words.slots[at];
}

static void note_cell(struct cell *cell)
{
    struct slot *slot = slot_of(cell);
    uint32_t number = (uint32_t)(slot - words.slots);
    see_accessors(slot);
    if (slot->at < words.cell_count && words.cells[slot->at] == number)
        return;
    slot->at = words.cell_count;
    words.cells[words.cell_count++] = number;
}

// A synchronisation object that is found in a cell survives going back, and so does that others may access it there.
static void see_objects(void)
{
    if (words.places == engine.place_count)
        return;
    words.places = engine.place_count;
    for (uint32_t i = 0; i < words.distinct_count; i++)
        if (words.slots[words.distinct[i]].cell->object)
            use_in_any_way(&words.slots[words.distinct[i]]);
}

bool accessed_grown(void)
{
    enum { MOST_RENEWALS = 20 }; // then one process alone counts all words, and may have more states than several
    see_objects();
    if (!words.grown || words.all)
        return false;
    words.grown = false;
    words.all = !commons_are_open() && ++words.renewals > MOST_RENEWALS;
    return true;
}

void accessed_take_over(struct cell *cell)
{
    struct slot *slot = slot_of(cell);
    slot->met = slot->written = true;
}

void accessed_share(uint64_t address, uint64_t size)
{
    for (uint64_t a = address & ~7ull; a < address + size; a += 8)
        if (!arguments_keep_apart(a))
            use_in_any_way(slot_of(shadow_cell(&engine.races.shadow, a)));
}

void accessed_take_over_all(void)
{
    words.all = true;
}

void accessed_note(uint64_t address, uint32_t size)
{
    if (!shadow_holds(&engine.races.shadow, address))
        return;
    uint64_t from = address & ~(uint64_t)(sizeof(struct cell) - 1);
    for (; from < address + size; from += sizeof(struct cell))
        note_cell((struct cell *)(uintptr_t)from);
}

void accessed_begin(void)
{
    const uint8_t *top = engine.undo.top;
    words.cell_count = 0;
    while (top > engine.undo.start) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        accessed_note(trailer->address, trailer->size);
    }
    words.counts[engine.exec.count] = words.cell_count;
}

void accessed_follow(void)
{
    words.cell_count = words.counts[engine.exec.count - 1];
}

void accessed_followed(void)
{
    words.counts[engine.exec.count] = words.cell_count;
}

void accessed_forget(void)
{
    words.cell_count = 0;
}

uint32_t accessed_count(void)
{
    return words.cell_count;
}

struct cell *accessed_cell(uint32_t number, bool *belongs)
{
    const struct slot *slot = &words.slots[words.cells[number]];
    *belongs = belongs_to_states(slot);
    return slot->cell;
}
