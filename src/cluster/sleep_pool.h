// Sets of sleeping actors, each kept once: states in their millions have few different ones, so that a state needs only a number.
#ifndef CLUSTER_SLEEP_POOL_H
#define CLUSTER_SLEEP_POOL_H

#include <stddef.h>

#include "cluster/actor_set.h"

struct sleep_pool {
    struct actor_set *set; // by their numbers; number 0 is empty
    uint32_t *slot;        // numbers, found by their hash; 0: free
    uint32_t count, room;  // there are twice as many slots
};

void sleep_pool_open(struct sleep_pool *pool);
void sleep_pool_close(struct sleep_pool *pool);

// The number of a set, which is new if need be.
uint32_t sleep_pool_number(struct sleep_pool *pool, const struct actor_set *set);

static inline const struct actor_set *sleep_pool_set(const struct sleep_pool *pool, uint32_t number)
{
    return &pool->set[number];
}

size_t sleep_pool_bytes(const struct sleep_pool *pool);

#endif
