#define _GNU_SOURCE
#include "cluster/shared_states.h"

#include <sched.h>
#include <sys/mman.h>

enum { STRIPES = 256, PATIENT = 1 << 10, GIVE_UP = 1 << 22 };

struct shared_state {
    uint64_t hash; // 0: free
    struct actor_set sleep;
    uint16_t rank;
} __attribute__((packed));

struct stripe {
    uint32_t lock;
    uint64_t count;
} __attribute__((aligned(64)));

struct shared_states {
    size_t bytes;  // of everything
    uint64_t room; // places of a stripe
    uint32_t is_full, is_broken;
    struct stripe stripe[STRIPES];
    struct shared_state state[];
};

struct shared_states *shared_states_open(size_t bytes)
{
    uint64_t room = 1 << 10;
    while (2 * room * STRIPES * sizeof(struct shared_state) <= bytes)
        room *= 2;
    bytes = sizeof(struct shared_states) + room * STRIPES * sizeof(struct shared_state);
    struct shared_states *s =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s == MAP_FAILED)
        return NULL;
    s->bytes = bytes;
    s->room = room;
    return s;
}

void shared_states_close(struct shared_states *s)
{
    munmap(s, s->bytes);
}

static void lock(struct shared_states *s, struct stripe *stripe)
{
    for (uint32_t i = 0; __atomic_exchange_n(&stripe->lock, 1, __ATOMIC_ACQUIRE); i++) {
        if (i > PATIENT)
            sched_yield();
        if (i == GIVE_UP) {
            s->is_broken = 1;
            return;
        }
    }
}

static void unlock(struct stripe *stripe)
{
    __atomic_store_n(&stripe->lock, 0, __ATOMIC_RELEASE);
}

static uint32_t stripe_of(uint64_t hash)
{
    return (uint32_t)(hash >> 56);
}

// Where the state is in its stripe, or where it would be. There is always a free place.
static struct shared_state *place_of(struct shared_states *s, uint64_t hash)
{
    struct shared_state *stripe = s->state + stripe_of(hash) * s->room;
    uint64_t at = hash >> 7 & (s->room - 1);
    while (stripe[at].hash && stripe[at].hash != hash)
        at = (at + 1) & (s->room - 1);
    return &stripe[at];
}

static void put(struct shared_states *s, struct shared_state *place, const struct shared_state *state)
{
    struct stripe *stripe = &s->stripe[stripe_of(state->hash)];
    if (stripe->count >= s->room / 8 * 7) {
        s->is_full = 1;
        return;
    }
    stripe->count++;
    *place = *state;
}

enum visit shared_states_visit(struct shared_states *s, uint64_t hash, const struct actor_set *sleep,
                               struct actor_set *before, uint16_t *rank)
{
    enum visit visit = VISIT_NEW;
    hash += !hash;
    struct stripe *stripe = &s->stripe[stripe_of(hash)];
    lock(s, stripe);
    struct shared_state *place = place_of(s, hash);
    if (!place->hash) {
        put(s, place, &(struct shared_state){hash, *sleep, *rank});
    } else {
        struct actor_set both = *before = place->sleep;
        visit = set_is_subset(before, sleep) ? VISIT_COVERED : VISIT_AGAIN;
        set_intersect(&both, sleep);
        place->sleep = both;
        *rank = place->rank;
    }
    unlock(stripe);
    return visit;
}

bool shared_states_has(struct shared_states *s, uint64_t hash, const struct actor_set *sleep)
{
    hash += !hash;
    struct stripe *stripe = &s->stripe[stripe_of(hash)];
    lock(s, stripe);
    const struct shared_state *place = place_of(s, hash);
    const struct actor_set asleep = place->sleep;
    bool has = place->hash && set_is_subset(&asleep, sleep);
    unlock(stripe);
    return has;
}

uint64_t shared_states_count(const struct shared_states *s)
{
    uint64_t count = 0;
    for (int i = 0; i < STRIPES; i++)
        count += s->stripe[i].count;
    return count;
}

size_t shared_states_bytes(const struct shared_states *s)
{
    return shared_states_count(s) * sizeof(struct shared_state) / 7 * 8;
}

bool shared_states_are_full(const struct shared_states *s)
{
    return s->is_full;
}

bool shared_states_are_broken(const struct shared_states *s)
{
    return s->is_broken;
}
