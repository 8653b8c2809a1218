#include "transactions/lookup.h"

#include <stdlib.h>

#include "base/alloc.h"

static size_t slot_of(const struct lookup *l, int64_t first, int64_t second)
{
    uint64_t hash = ((uint64_t)first * 0x9e3779b97f4a7c15u) ^ (uint64_t)second;
    hash = (hash ^ hash >> 29) * 0xd1342543de82ef95u;
    hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u;
    size_t at = (hash >> 20) & (l->slot_count - 1);
    while (l->slots[at].used && (l->slots[at].first != first || l->slots[at].second != second))
        at = (at + 1) & (l->slot_count - 1);
    return at;
}

uint32_t lookup_find(const struct lookup *l, int64_t first, int64_t second)
{
    if (!l->slot_count)
        return LOOKUP_NONE;
    const struct lookup_slot *slot = &l->slots[slot_of(l, first, second)];
    return slot->used ? slot->number : LOOKUP_NONE;
}

static void make_larger(struct lookup *l)
{
    struct lookup old = *l;
    l->slot_count = old.slot_count ? 2 * old.slot_count : 64;
    l->slots = alloc_zeroed(l->slot_count, sizeof *l->slots);
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].used)
            l->slots[slot_of(l, old.slots[i].first, old.slots[i].second)] = old.slots[i];
    free(old.slots);
}

uint32_t *lookup_at(struct lookup *l, int64_t first, int64_t second)
{
    if (2 * l->count >= l->slot_count)
        make_larger(l);
    struct lookup_slot *slot = &l->slots[slot_of(l, first, second)];
    if (!slot->used) {
        *slot = (struct lookup_slot){first, second, LOOKUP_NONE, 1};
        l->count++;
    }
    return &slot->number;
}

void lookup_free(struct lookup *l)
{
    free(l->slots);
    *l = (struct lookup){0};
}
