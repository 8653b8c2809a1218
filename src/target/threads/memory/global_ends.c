#include "target/threads/memory/global_ends.h"

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

enum { MOST_UNITS = 4096 }; // beyond these, ends are not known

static struct {
    const struct globals_unit *unit[MOST_UNITS];
    uint32_t units;
    bool begun;
} globals;

// What has the size of a number, or of a pointer, is not worth a look at every access.
static bool is_number(uint64_t size)
{
    return size == 1 || size == 2 || size == 4 || size == 8;
}

// The word in which a number ends has no mark: all accesses to it would have to be looked at. Nor has the word with which the room
// ends, where the next variable may begin. Marks stay, whatever the search goes back to.
static void mark_end(struct global_variable v)
{
    struct cell *cell = shadow_cell(&engine.races.shadow, v.end);
    uint64_t until = (v.end + GLOBALS_ROOM) & ~7ull;
    if (v.end % 8 && !is_number(v.end - v.start)) {
        cell->state |= CELL_EDGE;
        cell->inside = v.end % 8;
    }
    for (uint64_t a = (v.end + 7) & ~7ull; a < until; a += 8)
        shadow_cell(&engine.races.shadow, a)->state |= CELL_OUTSIDE;
}

static struct global_variable variable_of(const struct globals_unit *unit, uint64_t which)
{
    uint64_t from = (uint64_t)(uintptr_t)unit;
    return (struct global_variable){from + (uint64_t)unit->variable[which].start,
                                    from + (uint64_t)unit->variable[which].end};
}

static void mark_unit(const struct globals_unit *unit)
{
    for (uint64_t i = 0; i < unit->count; i++)
        mark_end(variable_of(unit, i));
}

void globals_begin(void)
{
    globals.begun = true;
    for (uint32_t i = 0; i < globals.units; i++)
        mark_unit(globals.unit[i]);
}

PUBLIC void __heddle_globals(const struct globals_unit *unit)
{
    if (globals.begun || globals.units == MOST_UNITS) // of a library that the program opens, which it may close again
        return;
    globals.unit[globals.units++] = unit;
}

bool globals_before(uint64_t address, struct global_variable *variable)
{
    for (uint32_t i = 0; i < globals.units; i++)
        for (uint64_t k = 0; k < globals.unit[i]->count; k++) {
            *variable = variable_of(globals.unit[i], k);
            if (address >= variable->end && address < variable->end + GLOBALS_ROOM)
                return true;
        }
    return false;
}
