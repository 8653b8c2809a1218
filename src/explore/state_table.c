#include "explore/state_table.h"

#include "base/fail.h"
#include "base/mem.h"

enum { AT_FIRST = 1 << 8, FEWEST_DEPTHS = 8 };

void state_table_init(struct state_table *v, uint64_t bytes)
{
    // The table doubles, so that for a moment there are the old one and one twice as large.
    uint64_t room = bytes ? bytes / sizeof *v->table : UINT64_MAX;
    *v = (struct state_table){.slots = AT_FIRST, .most_slots = AT_FIRST, .kept_depths = 2};
    while (v->most_slots < UINT64_MAX / 8 && v->most_slots * 3 <= room)
        v->most_slots *= 2;
    v->table = mem_reserve(v->slots * sizeof *v->table);
}

void state_table_free(struct state_table *v)
{
    mem_release(v->table, v->slots * sizeof *v->table);
}

static uint64_t home(const struct state_table *v, struct fingerprint key)
{
    return (key.low ^ key.high >> 7) & (v->slots - 1);
}

struct state_entry *state_table_find(const struct state_table *v, struct fingerprint key)
{
    for (uint64_t at = home(v, key); v->table[at].mark; at = (at + 1) & (v->slots - 1))
        if (v->table[at].key.low == key.low && v->table[at].key.high == key.high)
            return &v->table[at];
    return NULL;
}

static void put(struct state_table *v, const struct state_entry *state)
{
    uint64_t at = home(v, state->key);
    while (v->table[at].mark)
        at = (at + 1) & (v->slots - 1);
    v->table[at] = *state;
    v->used++;
}

enum way_to_forget { FORGET_NOTHING, FORGET_DEPTHS, FORGET_HALF };

// Whether a closed state goes. Each round of FORGET_HALF takes others, so that no state goes every time.
static bool gives_way(const struct state_table *v, const struct state_entry *state, enum way_to_forget way)
{
    if (state->mark == STATE_OPEN || way == FORGET_NOTHING)
        return false;
    return way == FORGET_DEPTHS ? state->depth % v->kept_depths != 0 : (state->key.high >> (v->round & 31) & 1) != 0;
}

static void rebuild(struct state_table *v, uint64_t slots, enum way_to_forget way)
{
    struct state_entry *old = v->table;
    uint64_t count = v->slots;
    v->slots = slots;
    v->used = 0;
    v->table = mem_reserve(slots * sizeof *v->table);
    for (uint64_t i = 0; i < count; i++)
        if (old[i].mark && !gives_way(v, &old[i], way))
            put(v, &old[i]);
        else
            v->forgotten += old[i].mark != STATE_NONE;
    mem_release(old, count * sizeof *old);
    v->round += way == FORGET_HALF;
}

// At three quarters full the table grows. Where it may not, closed states go until it is half full again, or only open ones
// are left of those that could go.
static void make_room(struct state_table *v)
{
    enum { ROUNDS = 8 };
    if (v->slots < v->most_slots) {
        rebuild(v, v->slots * 2, FORGET_NOTHING);
        return;
    }
    rebuild(v, v->slots, FORGET_DEPTHS);
    while (v->used > v->slots / 2 && v->kept_depths * FEWEST_DEPTHS <= v->deepest) {
        v->kept_depths *= 2;
        rebuild(v, v->slots, FORGET_DEPTHS);
    }
    for (uint32_t i = 0; i < ROUNDS && v->used > v->slots / 2; i++)
        rebuild(v, v->slots, FORGET_HALF);
    require_room(v->used < v->slots / 4 * 3, "states on the way from the beginning to where the search is (--memory)");
}

void state_table_open(struct state_table *v, struct fingerprint key, uint32_t order, uint32_t depth)
{
    if (v->used >= v->slots / 4 * 3)
        make_room(v);
    if (depth > v->deepest)
        v->deepest = depth;
    put(v, &(struct state_entry){.key = key, .mark = STATE_OPEN, .depth = (uint16_t)depth, .order = order});
    v->entered++;
}

// Those behind it that would not be found any more move up.
void state_table_remove(struct state_table *v, struct fingerprint key)
{
    const uint64_t mask = v->slots - 1;
    struct state_entry *found = state_table_find(v, key);
    require(found != NULL);
    uint64_t hole = (uint64_t)(found - v->table);
    for (uint64_t at = (hole + 1) & mask; v->table[at].mark; at = (at + 1) & mask) {
        if (((at - home(v, v->table[at].key)) & mask) < ((at - hole) & mask))
            continue;
        v->table[hole] = v->table[at];
        hole = at;
    }
    v->table[hole].mark = STATE_NONE;
    v->used--;
}
