// States that were visited, and which events slept there. States are identified by 64 bits of hash.
// Not base/table.h: a search asks for every state, so what belongs to a state stands where the state is found.
#ifndef CLUSTER_VISITED_H
#define CLUSTER_VISITED_H

#include "cluster/actor_set.h"

struct visited {
    struct visit *table; // of `room` places, at most half of them taken
    uint64_t room, count;
};

void visited_open(struct visited *visited);
void visited_close(struct visited *visited);

// True if the state was visited before with no more events asleep. Otherwise it is remembered.
bool visited_before(struct visited *visited, uint64_t hash, const struct actor_set *sleep);

// The same without remembering it.
bool visited_has(const struct visited *visited, uint64_t hash, const struct actor_set *sleep);

#endif
