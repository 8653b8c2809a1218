// Locations that are accessed both atomically and plainly. A plain access races with an atomic one that is not ordered with
// it. Atomic accesses leave no trace in the shadow, which would cost every program; the first plain access to an atomic
// location makes the search begin anew with a record of who accessed each such location atomically and when.
//
// Using a lock, a condition variable, a semaphore or a barrier is reading its first byte atomically: it must not come at
// the same time as initialising or destroying it, or as freeing the memory it is in.
#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/heap.h"
#include "target/threads/memory/mixed.h"

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
    require_room(place < ROWS, "objects of a program that accesses some atomically and otherwise (65536)");
    return &rows[place];
}

bool mixed_holds(uint64_t address)
{
    return rows && address - (uint64_t)(uintptr_t)rows < ROWS * sizeof *rows;
}

void mixed_note(struct thread *t, uint32_t place, bool write, uint32_t now)
{
    struct accesses *row = row_of(place);
    uint32_t *time = write ? &row->write[t->actor] : &row->read[t->actor];
    undo_save_word(&engine.undo, (void *)((uintptr_t)time & ~(uintptr_t)7));
    *time = now;
    t->know.used = 1;
}

// The bytes of the object's first word to look at: as many as the last plain access had, so that the word need not be
// split; none if that was to other bytes.
static uint8_t mask_of_use(const struct cell *cell, uint64_t address)
{
    uint8_t first = (uint8_t)(1u << (address & 7));
    return cell->state & CELL_SPLIT ? first : cell->mask & first ? cell->mask : 0;
}

void mixed_look(struct thread *t, uint32_t number, const char *what, const void *pc)
{
    struct place *object = &engine.places[number];
    struct cell *cell = shadow_cell(&engine.races.shadow, object->address);
    lifetime_look_at_object(t, object->address, what, pc);
    if (!engine.check_races || !engine.strangers)
        return;
    if (!object->size)
        object->size = 1;
    uint8_t mask = mask_of_use(cell, object->address);
    uint8_t racing = mask ? race_passing(&engine.races, &t->know, cell, mask, false) : 0;
    if (racing)
        fail_races(t, object->address & ~7ull, racing, false, pc, false);
    if (engine.learnt.mixed)
        mixed_note(t, number, false, t->know.time);
}

// An actor whose recorded access is not known to whoever knows `k`, or NO_RACE.
static uint32_t unordered(const struct know *k, const uint32_t *times)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        if (times[actor] && !know_before(&engine.races, k, actor << EPOCH_SHIFT | times[actor]))
            return actor;
    return NO_RACE;
}

// From now on it is known when who accessed what atomically.
static void mixed_learn(struct thread *t)
{
    if (!engine.learnt.mixed) {
        engine.learnt.mixed = true;
        search_again(t);
    }
}

// The next object from `*at` on that shares bytes with the range and was accessed by an actor of whose access `k` does not know.
// Returns that actor; NO_RACE if there is none.
static uint32_t mixed_next(const struct know *k, uint64_t *at, uint64_t address, uint32_t size, bool write)
{
    for (; *at < address + size; ++*at) {
        uint32_t place = place_find(*at);
        uint32_t covered = engine.places[place].size;
        if (!place || !covered || *at + covered <= address)
            continue;
        uint32_t other = unordered(k, row_of(place)->write);
        if (other == NO_RACE && write)
            other = unordered(k, row_of(place)->read);
        if (other != NO_RACE)
            return other;
    }
    return NO_RACE;
}

void mixed_check(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc)
{
    mixed_learn(t);
    uint32_t other;
    for (uint64_t a = address - WIDEST + 1; (other = mixed_next(&t->know, &a, address, size, write)) != NO_RACE; a++) {
        uint64_t end = a + engine.places[place_find(a)].size;
        uint64_t from = a > address ? a : address, until = end < address + size ? end : address + size;
        fail_race(t, from, (uint32_t)(until - from), write, other, pc);
    }
}

bool mixed_is_unordered(struct thread *t, const struct know *know, uint64_t address, uint32_t size)
{
    mixed_learn(t);
    uint64_t a = address - WIDEST + 1;
    return mixed_next(know, &a, address, size, true) != NO_RACE;
}

void mixed_each(void (*tell)(void *context, uint32_t place, uint32_t actor, uint32_t written, uint32_t read),
                void *context)
{
    for (uint32_t place = 1; rows && place <= engine.place_count && place < ROWS; place++)
        for (uint32_t actor = 0; actor < engine.exec.known; actor++)
            tell(context, place, actor, rows[place].write[actor], rows[place].read[actor]);
}
