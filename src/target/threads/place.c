// Objects by address. A place gets its number when it is first seen and keeps it for the whole search.
#include "target/threads/engine.h"

#include "base/fail.h"

enum { TABLE = PLACES * 2 };

static uint32_t find(uint64_t address)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % TABLE;
    for (; engine.place_table[at]; at = (at + 1) % TABLE)
        if (engine.places[engine.place_table[at]].address == address)
            return engine.place_table[at];
    require(engine.place_count + 1 < PLACES);
    uint32_t number = ++engine.place_count;
    engine.place_table[at] = number;
    engine.places[number].address = address;
    return number;
}

uint32_t place_find(uint64_t address)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % TABLE;
    for (; engine.place_table[at]; at = (at + 1) % TABLE)
        if (engine.places[engine.place_table[at]].address == address)
            return engine.place_table[at];
    return 0;
}

void search_again(struct thread *t)
{
    engine.again = engine.abandoned = true;
    if (t)
        thread_stop(t, ACTOR_STOPPED);
}

static bool is_merged(uint64_t block)
{
    for (uint32_t i = 0; i < engine.merged_count; i++)
        if (engine.merged[i] == block)
            return true;
    return false;
}

static void merge(uint64_t address)
{
    require(engine.merged_count < sizeof engine.merged / sizeof *engine.merged);
    engine.merged[engine.merged_count++] = address & ~15ull;
    search_again(engine.running);
}

// Whether another atomic location, of another size or beginning elsewhere, shares bytes with this one.
static bool overlaps(uint64_t address, uint32_t size)
{
    for (uint64_t a = address & ~15ull; a < (address & ~15ull) + 16; a++) {
        uint32_t at = (uint32_t)(a * 0x9e3779b97f4a7c15u >> 40) % TABLE;
        for (; engine.place_table[at]; at = (at + 1) % TABLE) {
            const struct place *p = &engine.places[engine.place_table[at]];
            if (p->address == a && p->size && !(a == address && p->size == size) && a < address + size &&
                address < a + p->size)
                return true;
        }
    }
    return false;
}

uint32_t place_of_access(uint64_t address, uint32_t size)
{
    if (engine.merged_count && is_merged(address & ~15ull))
        return place_at((address & ~15ull) + 1); // odd, so that it is nobody else's
    uint32_t number = place_at(address);
    struct place *place = &engine.places[number];
    if (__builtin_expect(place->size != size, 0)) {
        if (overlaps(address, size))
            merge(address);
        place->size = size;
    }
    return number;
}

uint32_t place_at(uint64_t address)
{
    struct cell *cell = shadow_cell(&engine.races.shadow, address);
    if (cell->object && engine.places[cell->object].address == address)
        return cell->object;
    uint32_t number = find(address);
    cell->object = number;
    return number;
}
