// States that were come to, and what slept there. States are known by 64 bits of hash.
#ifndef CLUSTER_VISITED_H
#define CLUSTER_VISITED_H

#include "cluster/actor_set.h"

struct visited {
    struct visit *table; // of `room` places, at most half of them taken
    uint64_t room, count;
};

void visited_open(struct visited *visited);
void visited_close(struct visited *visited);

// True if the state was come to before with no more asleep. Otherwise it is remembered.
bool visited_before(struct visited *visited, uint64_t hash, const struct actor_set *sleep);

// The same without remembering it.
bool visited_has(const struct visited *visited, uint64_t hash, const struct actor_set *sleep);

#endif
