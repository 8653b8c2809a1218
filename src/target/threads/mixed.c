// Locations that are accessed both atomically and plainly. A plain access races with an atomic one that is not ordered with
// it. Atomic accesses leave no trace in the shadow, which would cost every program; the first plain access to an atomic
// location makes the search begin anew with a record of who accessed each such location atomically and when.
#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine.h"

enum { ROWS = 1 << 16, WIDEST = 16 };

// The times of the last atomic writes and reads of one location by each actor.
struct accesses {
    uint32_t write[MAX_ACTORS], read[MAX_ACTORS];
};

static struct accesses *rows; // by place number

static struct accesses *row_of(uint32_t place)
{
    if (!rows)
        rows = mem_reserve(ROWS * sizeof *rows);
    require(place < ROWS);
    return &rows[place];
}

bool mixed_holds(uint64_t address)
{
    return rows && address - (uint64_t)(uintptr_t)rows < ROWS * sizeof *rows;
}

void mixed_note(struct thread *t, uint32_t place, bool write)
{
    struct accesses *row = row_of(place);
    uint32_t *time = write ? &row->write[t->actor] : &row->read[t->actor];
    undo_save_word(&engine.undo, (void *)((uintptr_t)time & ~(uintptr_t)7));
    *time = t->know.time;
    t->know.used = 1;
}

// An actor whose recorded access is not known to `t`, or NO_RACE.
static uint32_t unordered(const struct thread *t, const uint32_t *times)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (times[actor] && !know_before(&engine.races, &t->know, actor << EPOCH_SHIFT | times[actor]))
            return actor;
    return NO_RACE;
}

void mixed_check(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc)
{
    if (!engine.mixed) {
        engine.mixed = true;
        search_again(t);
    }
    for (uint64_t a = address - WIDEST + 1; a < address + size; a++) {
        uint32_t place = place_find(a);
        uint32_t covered = engine.places[place].size;
        if (!place || !covered || a + covered <= address)
            continue;
        uint32_t other = unordered(t, row_of(place)->write);
        if (other == NO_RACE && write)
            other = unordered(t, row_of(place)->read);
        uint64_t from = a > address ? a : address, until = a + covered < address + size ? a + covered : address + size;
        if (other != NO_RACE)
            fail_race(t, from, (uint32_t)(until - from), write, other, pc);
    }
}
