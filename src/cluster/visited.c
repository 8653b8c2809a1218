#include "cluster/visited.h"

#include "base/mem.h"

enum { STATES_AT_FIRST = 1 << 6 };

void visited_open(struct visited *v, size_t most)
{
    *v = (struct visited){.room = STATES_AT_FIRST, .most = most};
    v->table = mem_reserve(v->room * sizeof *v->table);
    sleep_pool_open(&v->sleep);
    visited_runs_open(&v->runs);
}

void visited_close(struct visited *v)
{
    mem_release(v->table, v->room * sizeof *v->table);
    sleep_pool_close(&v->sleep);
    visited_runs_close(&v->runs);
}

// Where the state is in the table, or where it would be.
static struct kept_state *place_of(const struct visited *v, uint64_t hash)
{
    uint64_t at = hash >> 7 & (v->room - 1);
    while (v->table[at].hash && v->table[at].hash != hash)
        at = (at + 1) & (v->room - 1);
    return &v->table[at];
}

static void grow(struct visited *v)
{
    struct kept_state *old = v->table;
    uint64_t room = v->room;
    v->room *= 2;
    v->table = mem_reserve(v->room * sizeof *v->table);
    for (uint64_t i = 0; i < room; i++)
        if (old[i].hash)
            *place_of(v, old[i].hash) = old[i];
    mem_release(old, room * sizeof *old);
}

// Brings the states of the table to its beginning, which leaves no table.
static uint64_t gather(struct visited *v)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < v->room; i++)
        if (v->table[i].hash)
            v->table[count++] = v->table[i];
    return count;
}

// Puts the first `count` states, which stand anywhere, into a new table.
static void scatter(struct visited *v, uint64_t count)
{
    struct kept_state *old = v->table;
    v->table = mem_reserve(v->room * sizeof *v->table);
    for (uint64_t i = 0; i < count; i++)
        *place_of(v, old[i].hash) = old[i];
    mem_release(old, v->room * sizeof *old);
}

// Makes room for more states. While the table grows there are two of them.
static void make_room(struct visited *v)
{
    if (!v->most || v->runs.wrong[0] || 3 * v->room * sizeof *v->table <= v->most) {
        grow(v);
        return;
    }
    uint64_t count = gather(v);
    if (visited_runs_add(&v->runs, v->table, count)) {
        v->taken = 0;
        mem_release(v->table, v->room * sizeof *v->table);
        v->table = mem_reserve(v->room * sizeof *v->table);
    } else {
        scatter(v, count);
        grow(v);
    }
}

static void put(struct visited *v, struct kept_state *place, const struct kept_state *state)
{
    *place = *state;
    if (++v->taken > v->room / 4 * 3)
        make_room(v);
}

// Whether the state is known, and what was kept of it.
static bool find(struct visited *v, uint64_t hash, struct kept_state **place, struct kept_state *known)
{
    *place = place_of(v, hash);
    *known = **place;
    return (*place)->hash || (v->runs.count && visited_runs_find(&v->runs, hash, known));
}

bool visited_has(struct visited *v, uint64_t hash, const struct actor_set *sleep)
{
    struct kept_state *place, known;
    return find(v, hash + !hash, &place, &known) && set_is_subset(sleep_pool_set(&v->sleep, known.sleep), sleep);
}

enum visit visited_visit(struct visited *v, uint64_t hash, const struct actor_set *sleep, struct actor_set *before,
                         uint16_t *rank)
{
    struct kept_state *place, known;
    hash += !hash;
    if (!find(v, hash, &place, &known)) {
        v->count++;
        put(v, place, &(struct kept_state){hash, sleep_pool_number(&v->sleep, sleep), *rank});
        return VISIT_NEW;
    }
    *rank = known.rank;
    struct actor_set both = *before = *sleep_pool_set(&v->sleep, known.sleep);
    if (set_is_subset(&both, sleep))
        return VISIT_COVERED;
    set_intersect(&both, sleep);
    known.sleep = sleep_pool_number(&v->sleep, &both);
    if (place->hash)
        *place = known;
    else
        put(v, place, &known);
    return VISIT_AGAIN;
}

size_t visited_bytes(const struct visited *v)
{
    return v->room * sizeof *v->table + sleep_pool_bytes(&v->sleep) + visited_runs_bytes(&v->runs);
}
