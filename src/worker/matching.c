#include "worker/matching.h"

#include "base/mem.h"
#include "target/threads/engine/engine_room.h"
#include "worker/blocking.h"
#include "worker/prospects.h"

// A state of the program and its results, and prospects with which the search reached it. A key may have several entries, with
// prospects of which none is within another.
struct entry {
    struct fingerprint key;
    uint32_t prospects, used;
};

enum { AT_FIRST = 1 << 12 };

static struct {
    struct entry *table; // open addressing
    uint64_t slots, used;
} seen;

void matching_begin(void)
{
    state_begin();
    prospects_begin();
    seen.slots = AT_FIRST;
    seen.used = 0;
    seen.table = mem_reserve(seen.slots * sizeof *seen.table);
}

uint64_t matching_end(void)
{
    state_end();
    mem_release(seen.table, seen.slots * sizeof *seen.table);
    return seen.used;
}

static bool matching_same(struct fingerprint a, struct fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

static struct entry *free_slot(struct fingerprint key)
{
    uint64_t at = key.low & (seen.slots - 1);
    while (seen.table[at].used)
        at = (at + 1) & (seen.slots - 1);
    return &seen.table[at];
}

static void matching_grow(void)
{
    struct entry *old = seen.table;
    uint64_t count = seen.slots;
    seen.slots *= 2;
    seen.table = mem_reserve(seen.slots * sizeof *seen.table);
    for (uint64_t i = 0; i < count; i++)
        if (old[i].used)
            *free_slot(old[i].key) = old[i];
    mem_release(old, count * sizeof *old);
}

bool matching_known(void *unused)
{
    (void)unused;
    struct fingerprint results, key = state_now();
    uint32_t prospects = prospects_now(&results);
    fingerprint_mix(&key, results.low);
    fingerprint_mix(&key, results.high);
    for (uint64_t at = key.low & (seen.slots - 1); seen.table[at].used; at = (at + 1) & (seen.slots - 1)) {
        struct entry *e = &seen.table[at];
        if (!matching_same(e->key, key))
            continue;
        if (prospects_within(e->prospects, prospects))
            return true;
        if (prospects_within(prospects, e->prospects)) { // what is tried from here covers it
            e->prospects = prospects;
            return false;
        }
    }
    blocking_look();
    *free_slot(key) = (struct entry){key, prospects, 1};
    if (++seen.used > seen.slots / 2)
        matching_grow();
    return false;
}
