#include "cluster/visited.h"

#include "base/mem.h"

enum { STATES_AT_FIRST = 1 << 12 };

struct visit {
    uint64_t hash;
    struct actor_set sleep;
};

void visited_open(struct visited *v)
{
    *v = (struct visited){.room = STATES_AT_FIRST};
    v->table = mem_reserve(v->room * sizeof *v->table);
}

void visited_close(struct visited *v)
{
    mem_release(v->table, v->room * sizeof *v->table);
}

// Where the state is in the table, or where it would be.
static struct visit *place_of(const struct visited *v, uint64_t hash)
{
    uint64_t at = hash >> 7 & (v->room - 1);
    while (v->table[at].hash && v->table[at].hash != hash)
        at = (at + 1) & (v->room - 1);
    return &v->table[at];
}

static void grow(struct visited *v)
{
    struct visit *old = v->table;
    uint64_t room = v->room;
    v->room *= 2;
    v->table = mem_reserve(v->room * sizeof *v->table);
    for (uint64_t i = 0; i < room; i++)
        if (old[i].hash)
            *place_of(v, old[i].hash) = old[i];
    mem_release(old, room * sizeof *old);
}

bool visited_has(const struct visited *v, uint64_t hash, const struct actor_set *sleep)
{
    hash += !hash;
    const struct visit *place = place_of(v, hash);
    return place->hash && set_is_subset(&place->sleep, sleep);
}

bool visited_before(struct visited *v, uint64_t hash, const struct actor_set *sleep)
{
    hash += !hash;
    struct visit *place = place_of(v, hash);
    if (!place->hash) {
        *place = (struct visit){hash, *sleep};
        if (++v->count > v->room / 2)
            grow(v);
        return false;
    }
    if (set_is_subset(&place->sleep, sleep))
        return true;
    set_intersect(&place->sleep, sleep);
    return false;
}
