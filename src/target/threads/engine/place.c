// Objects by address. A place gets its number when it is first seen and keeps it for the whole search.
#include "target/threads/engine/engine.h"

#include "base/fail.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/failure.h"

enum { TABLE = PLACES * 2 };

static uint32_t place_slot(uint64_t address)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % TABLE;
    for (; engine.place_table[at]; at = (at + 1) % TABLE)
        if (engine.places[engine.place_table[at]].address == address)
            return engine.place_table[at];
    require_room(engine.place_count + 1 < PLACES, "locks, atomic variables and other objects of one search (1048575)");
    uint32_t number = commons_are_open() ? commons_place(address) : engine.place_count + 1;
    if (number > engine.place_count)
        engine.place_count = number;
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
    engine.again = engine.abandoned = engine.target.lost = true;
    if (t)
        thread_stop(t, ACTOR_STOPPED);
}

void order_of_writes_matters(struct thread *t)
{
    engine.learnt.write_order = true;
    search_again(t);
}

enum { BLOCK = 16, MERGED = sizeof engine.learnt.merged / sizeof *engine.learnt.merged };
// Marks in an entry of `merged`: the block is the same object as the one before it; as all others that are so marked.
enum { WITH_PREVIOUS = 1, JOINED = 2 };

static uint64_t block_of(uint64_t address)
{
    return address & ~(BLOCK - 1ull);
}

static uint64_t *merged_entry(uint64_t block)
{
    for (uint32_t i = 0; i < engine.learnt.merged_count; i++)
        if (block_of(engine.learnt.merged[i]) == block)
            return &engine.learnt.merged[i];
    return NULL;
}

// Whether one of the blocks that are one object with this one, their first, is marked.
static bool has_joined(uint64_t block)
{
    const uint64_t *entry = merged_entry(block);
    bool joined = false;
    do {
        joined |= *entry & JOINED;
        block += BLOCK;
        entry = merged_entry(block);
    } while (entry && *entry & WITH_PREVIOUS);
    return joined;
}

// The object of a merged block. Its address is odd, so that it is nobody else's; and so is that of the joined ones.
static uint32_t merged_place(uint64_t block)
{
    while (*merged_entry(block) & WITH_PREVIOUS)
        block -= BLOCK;
    return place_at(has_joined(block) ? JOINED : block + 1);
}

// Returns whether that is news.
static bool place_merge(uint64_t block, uint64_t marks)
{
    uint64_t *entry = merged_entry(block);
    if (entry && (*entry & marks) == marks)
        return false;
    if (!entry && engine.learnt.merged_count == MERGED)
        unsupported(engine.running,
                    "more than 4 KiB of memory is accessed in pieces that overlap, each of them a step, or "
                    "has futexes between which waiters are moved");
    if (!entry) {
        entry = &engine.learnt.merged[engine.learnt.merged_count++];
        *entry = block;
    }
    *entry |= marks;
    return true;
}

bool places_know(uint64_t mark)
{
    return engine.learnt.merged_count && merged_entry(mark);
}

void places_learn(struct thread *t, uint64_t mark)
{
    if (place_merge(mark, 0))
        search_again(t);
}

void places_join(struct thread *t, uint64_t one, uint64_t other)
{
    bool news = place_merge(block_of(one), JOINED);
    news |= place_merge(block_of(other), JOINED);
    if (news)
        search_again(t);
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
    if (engine.learnt.merged_count && merged_entry(block_of(address)))
        return merged_place(block_of(address));
    uint32_t number = place_at(address);
    struct place *place = &engine.places[number];
    if (__builtin_expect(place->size != size, 0)) {
        bool elsewhere = commons_are_open() && commons_overlap(address, size);
        if ((overlaps(address, size) || elsewhere) && place_merge(block_of(address), 0))
            search_again(engine.running);
        place->size = size;
        place->accessed = true;
        if (unlikely(engine.by_sources) && size > 8) // the cell of its second word does not know of it
            order_of_writes_matters(engine.running);
    }
    return number;
}

uint32_t place_of_span(uint64_t address, uint64_t size)
{
    uint64_t first = block_of(address);
    if (address + size <= first + BLOCK)
        return place_of_access(address, (uint32_t)size);
    bool news = false;
    for (uint64_t block = first; block < address + size; block += BLOCK)
        news |= place_merge(block, block > first ? WITH_PREVIOUS : 0);
    if (news)
        search_again(engine.running);
    return merged_place(first);
}

__attribute__((used, aligned(16))) static uint8_t aside[1 << 14];
__attribute__((used)) uint8_t *place_aside = aside + sizeof aside;

RARE __attribute__((used)) uint32_t place_number(uint64_t address)
{
    uint32_t number = place_slot(address);
    shadow_cell(&engine.races.shadow, address)->object = number;
    return number;
}
