#include "history/space.h"

#include <string.h>

#include "base/mem.h"

enum { UNIT = 8, FIRST_SLOTS = 64, FIRST_STARTS = 32 };

void space_init(struct space *space, size_t bytes)
{
    *space = (struct space){.start = mem_reserve(bytes), .room = bytes};
}

void space_free(struct space *space)
{
    mem_release(space->start, space->room);
    *space = (struct space){0};
}

void *space_take(struct space *space, size_t count, size_t size)
{
    size_t bytes, start = (space->used + 15) & ~(size_t)15;
    if (__builtin_mul_overflow(count, size, &bytes) || start > space->room || bytes > space->room - start)
        return NULL;
    space->used = start + bytes;
    if (space->used > space->most)
        space->most = space->used;
    return space->start + start;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static uint64_t hash_bytes(const void *bytes, size_t size)
{
    const char *at = bytes;
    uint64_t hash = size, word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, size);
    return mix(hash, word);
}

static uint64_t hash_of(const struct pool *pool, const void *bytes, size_t size)
{
    uint64_t hash =
        pool->spec && pool->spec->hash ? mix(pool->spec->hash(pool->spec, bytes), size) : hash_bytes(bytes, size);
    return mix(hash, 0x5851f42d4c957f2du);
}

bool pool_init(struct pool *pool, struct space *space, const struct spec *spec)
{
    *pool = (struct pool){.slot_count = FIRST_SLOTS, .start_room = FIRST_STARTS, .spec = spec};
    pool->slots = space_take(space, FIRST_SLOTS, sizeof *pool->slots);
    pool->starts = space_take(space, FIRST_STARTS, sizeof *pool->starts);
    if (!pool->slots || !pool->starts)
        return false;
    memset(pool->slots, 0, FIRST_SLOTS * sizeof *pool->slots);
    return true;
}

static void place(uint64_t *slots, uint32_t slot_count, uint64_t slot)
{
    uint32_t at = (uint32_t)(slot >> 32) & (slot_count - 1);
    while (slots[at])
        at = (at + 1) & (slot_count - 1);
    slots[at] = slot;
}

// Makes room for one more. The tables that were outgrown stay behind: together they are no larger than the new ones.
static bool grow(struct pool *pool, struct space *space)
{
    if (pool->count == pool->start_room) {
        uint32_t *starts = space_take(space, (size_t)pool->start_room * 2, sizeof *starts);
        if (!starts)
            return false;
        memcpy(starts, pool->starts, pool->count * sizeof *starts);
        pool->starts = starts;
        pool->start_room *= 2;
    }
    if (pool->count * 2 < pool->slot_count)
        return true;
    uint32_t slot_count = pool->slot_count * 2;
    uint64_t *slots = slot_count ? space_take(space, slot_count, sizeof *slots) : NULL;
    if (!slots)
        return false;
    memset(slots, 0, slot_count * sizeof *slots);
    for (uint32_t i = 0; i < pool->slot_count; i++)
        if (pool->slots[i])
            place(slots, slot_count, pool->slots[i]);
    pool->slots = slots;
    pool->slot_count = slot_count;
    return true;
}

const void *pool_get(const struct pool *pool, const struct space *space, uint32_t number, size_t *size)
{
    const char *run = space->start + (size_t)pool->starts[number] * UNIT;
    uint64_t length;
    memcpy(&length, run, sizeof length);
    *size = length;
    return run + sizeof length;
}

static bool same(const struct pool *pool, const struct space *space, uint32_t number, const void *bytes, size_t size)
{
    size_t known_size;
    const void *known = pool_get(pool, space, number, &known_size);
    if (known_size != size)
        return false;
    return pool->spec && pool->spec->equal ? pool->spec->equal(pool->spec, known, bytes) : !memcmp(known, bytes, size);
}

#define HASH_PART 0xffffffff00000000u

static uint32_t find(const struct pool *pool, const struct space *space, uint64_t hash, const void *bytes, size_t size)
{
    for (uint32_t at = (uint32_t)(hash >> 32) & (pool->slot_count - 1); pool->slots[at];
         at = (at + 1) & (pool->slot_count - 1)) {
        uint32_t number = (uint32_t)pool->slots[at] - 1;
        if ((pool->slots[at] & HASH_PART) == hash && same(pool, space, number, bytes, size))
            return number;
    }
    return POOL_FULL;
}

uint32_t pool_find(const struct pool *pool, const struct space *space, const void *bytes, size_t size)
{
    return find(pool, space, hash_of(pool, bytes, size) & HASH_PART, bytes, size);
}

uint32_t pool_add(struct pool *pool, struct space *space, const void *bytes, size_t size, bool *added)
{
    uint64_t hash = hash_of(pool, bytes, size) & HASH_PART, length = size;
    uint32_t known = find(pool, space, hash, bytes, size);
    *added = false;
    if (known != POOL_FULL)
        return known;
    if (!grow(pool, space))
        return POOL_FULL;
    char *run = space_take(space, size + sizeof length, 1);
    size_t start = run ? (size_t)(run - space->start) / UNIT : UINT32_MAX;
    if (start >= UINT32_MAX)
        return POOL_FULL;
    memcpy(run, &length, sizeof length);
    memcpy(run + sizeof length, bytes, size);
    pool->starts[pool->count] = (uint32_t)start;
    place(pool->slots, pool->slot_count, hash | (pool->count + 1));
    *added = true;
    return pool->count++;
}
