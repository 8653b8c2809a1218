// Sets of actors.
#ifndef CLUSTER_ACTOR_SET_H
#define CLUSTER_ACTOR_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

enum { ACTOR_WORDS = MAX_ACTORS / 64 };

struct actor_set {
    uint64_t word[ACTOR_WORDS];
};

static inline void set_put(struct actor_set *set, uint32_t actor)
{
    set->word[actor / 64] |= 1ull << (actor % 64);
}

static inline void set_drop(struct actor_set *set, uint32_t actor)
{
    set->word[actor / 64] &= ~(1ull << (actor % 64));
}

static inline bool set_has(const struct actor_set *set, uint32_t actor)
{
    return set->word[actor / 64] >> (actor % 64) & 1;
}

static inline bool set_is_empty(const struct actor_set *set)
{
    uint64_t all = 0;
    for (int i = 0; i < ACTOR_WORDS; i++)
        all |= set->word[i];
    return !all;
}

static inline bool set_is_subset(const struct actor_set *a, const struct actor_set *b)
{
    uint64_t beyond = 0;
    for (int i = 0; i < ACTOR_WORDS; i++)
        beyond |= a->word[i] & ~b->word[i];
    return !beyond;
}

static inline void set_subtract(struct actor_set *from, const struct actor_set *what)
{
    for (int i = 0; i < ACTOR_WORDS; i++)
        from->word[i] &= ~what->word[i];
}

static inline void set_intersect(struct actor_set *set, const struct actor_set *with)
{
    for (int i = 0; i < ACTOR_WORDS; i++)
        set->word[i] &= with->word[i];
}

static inline uint32_t set_count(const struct actor_set *set)
{
    uint32_t count = 0;
    for (int i = 0; i < ACTOR_WORDS; i++)
        count += (uint32_t)__builtin_popcountll(set->word[i]);
    return count;
}

// The n-th, from 0; -1 if there are not so many.
static inline int set_nth(const struct actor_set *set, uint32_t n)
{
    for (int i = 0; i < ACTOR_WORDS; i++)
        for (uint64_t bits = set->word[i]; bits; bits &= bits - 1)
            if (!n--)
                return i * 64 + __builtin_ctzll(bits);
    return -1;
}

// The first from this number on; -1 if there is none. To go through a set: for (a = set_from(set, 0); a >= 0; a = set_from(set, a + 1)).
static inline int set_from(const struct actor_set *set, int from)
{
    int i = from / 64;
    if (i >= ACTOR_WORDS)
        return -1;
    uint64_t bits = set->word[i] >> (from % 64) << (from % 64);
    while (!bits && ++i < ACTOR_WORDS)
        bits = set->word[i];
    return bits ? i * 64 + __builtin_ctzll(bits) : -1;
}

#endif
