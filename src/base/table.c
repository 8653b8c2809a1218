#include "base/table.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/alloc.h"
#include "base/fail.h"

enum { FIRST_SLOTS = 64, BLOCK = 1 << 16, ALIGN = 8 };

#define HASH_PART 0xffffffff00000000u

struct table_key {
    const char *bytes;
    size_t size;
};

struct table_block {
    struct table_block *before;
    size_t used, room;
    _Alignas(ALIGN) char bytes[];
};

static uint64_t hash_of(const void *key, size_t size)
{
    return XXH3_64bits(key, size) & HASH_PART;
}

// The slot that the key is in, or the free one that it would be in. Half of the slots are free, so there is one.
static uint32_t slot_of(const struct table *t, uint64_t hash, const void *key, size_t size)
{
    uint32_t at = (uint32_t)(hash >> 32) & (t->slot_count - 1);
    for (; t->slots[at]; at = (at + 1) & (t->slot_count - 1)) {
        const struct table_key *known = &t->keys[(uint32_t)t->slots[at] - 1];
        if ((t->slots[at] & HASH_PART) == hash && known->size == size && (!size || !memcmp(known->bytes, key, size)))
            break;
    }
    return at;
}

static void enlarge(struct table *t)
{
    uint64_t *old = t->slots;
    uint32_t count = t->slot_count;
    t->slot_count = count ? 2 * count : FIRST_SLOTS;
    require(t->slot_count > count);
    t->slots = alloc_zeroed(t->slot_count, sizeof *t->slots);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (uint32_t)(old[i] >> 32) & (t->slot_count - 1);
        while (old[i] && t->slots[at])
            at = (at + 1) & (t->slot_count - 1);
        if (old[i])
            t->slots[at] = old[i];
    }
    free(old);
}

// Blocks never move, so keys do not either.
static const char *keep(struct table *t, const void *key, size_t size)
{
    size_t needed = (size + 1 + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!t->block || needed > t->block->room - t->block->used) {
        size_t room = needed > BLOCK ? needed : BLOCK;
        struct table_block *block = alloc_array(1, sizeof *block + room);
        *block = (struct table_block){.before = t->block, .room = room};
        t->block = block;
    }
    char *copy = t->block->bytes + t->block->used;
    t->block->used += needed;
    if (size)
        memcpy(copy, key, size);
    copy[size] = 0;
    return copy;
}

uint32_t table_add(struct table *t, const void *key, size_t size, bool *added)
{
    uint64_t hash = hash_of(key, size);
    if (2 * (uint64_t)t->count >= t->slot_count)
        enlarge(t);
    uint32_t at = slot_of(t, hash, key, size);
    if (added)
        *added = !t->slots[at];
    if (t->slots[at])
        return (uint32_t)t->slots[at] - 1;
    t->keys = alloc_grow(t->keys, t->count, &t->key_room, sizeof *t->keys);
    t->keys[t->count] = (struct table_key){keep(t, key, size), size};
    t->slots[at] = hash | ++t->count;
    return t->count - 1;
}

uint32_t table_find(const struct table *t, const void *key, size_t size)
{
    if (!t->count)
        return TABLE_NONE;
    uint64_t slot = t->slots[slot_of(t, hash_of(key, size), key, size)];
    return slot ? (uint32_t)slot - 1 : TABLE_NONE;
}

const void *table_key(const struct table *t, uint32_t number, size_t *size)
{
    if (size)
        *size = t->keys[number].size;
    return t->keys[number].bytes;
}

void table_free(struct table *t)
{
    for (struct table_block *before; t->block; t->block = before) {
        before = t->block->before;
        free(t->block);
    }
    free(t->slots);
    free(t->keys);
    *t = (struct table){0};
}

uint32_t table_add_text(struct table *t, const char *text, bool *added)
{
    return table_add(t, text, strlen(text), added);
}

uint32_t table_find_text(const struct table *t, const char *text)
{
    return table_find(t, text, strlen(text));
}

const char *table_text(const struct table *t, uint32_t number)
{
    return t->keys[number].bytes;
}
