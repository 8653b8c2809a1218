#include "cluster/sleep_pool.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/fail.h"
#include "base/mem.h"

enum { SETS_AT_FIRST = 1 << 8 };

static void make_room(struct sleep_pool *p, uint32_t room)
{
    p->room = room;
    p->set = mem_reserve(room * sizeof *p->set);
    p->slot = mem_reserve((size_t)2 * room * sizeof *p->slot);
}

static void release(const struct sleep_pool *p)
{
    mem_release(p->set, p->room * sizeof *p->set);
    mem_release(p->slot, (size_t)2 * p->room * sizeof *p->slot);
}

void sleep_pool_open(struct sleep_pool *p)
{
    *p = (struct sleep_pool){.count = 1};
    make_room(p, SETS_AT_FIRST);
}

void sleep_pool_close(struct sleep_pool *p)
{
    release(p);
}

static uint32_t *slot_of(const struct sleep_pool *p, const struct actor_set *set)
{
    uint32_t mask = 2 * p->room - 1, at = (uint32_t)XXH3_64bits(set, sizeof *set) & mask;
    while (p->slot[at] && memcmp(&p->set[p->slot[at]], set, sizeof *set) != 0)
        at = (at + 1) & mask;
    return &p->slot[at];
}

static void grow(struct sleep_pool *p)
{
    struct sleep_pool old = *p;
    require(p->room < UINT32_MAX / 8);
    make_room(p, 2 * old.room);
    memcpy(p->set, old.set, old.count * sizeof *old.set);
    for (uint32_t i = 1; i < p->count; i++)
        *slot_of(p, &p->set[i]) = i;
    release(&old);
}

uint32_t sleep_pool_number(struct sleep_pool *p, const struct actor_set *set)
{
    if (set_is_empty(set))
        return 0;
    uint32_t *slot = slot_of(p, set), number = *slot;
    if (number)
        return number;
    p->set[p->count] = *set;
    *slot = number = p->count++;
    if (p->count == p->room)
        grow(p);
    return number;
}

size_t sleep_pool_bytes(const struct sleep_pool *p)
{
    return p->room * (sizeof *p->set + 2 * sizeof *p->slot);
}
