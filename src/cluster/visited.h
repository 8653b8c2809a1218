// States that were visited, and which events slept there. A state is known by a number of 64 bits: its hash, or with exact states a
// number of its own (exact_states.h). It takes twelve bytes, the sleeping events being in a pool; once the table is as large as it may
// be, the states in it are written to the disk (visited_runs.h), and it begins anew.
// Not base/table.h: a search asks for every state, so what belongs to a state stands where the state is found.
#ifndef CLUSTER_VISITED_H
#define CLUSTER_VISITED_H

#include "cluster/actor_set.h"
#include "cluster/sleep_pool.h"
#include "cluster/visited_runs.h"

struct visited {
    struct kept_state *table; // of `room` places, at most three quarters of them taken
    uint64_t room, taken;
    uint64_t count; // states, on the disk too
    size_t most;    // bytes that the table may take; 0: any number
    struct sleep_pool sleep;
    struct visited_runs runs;
};

void visited_open(struct visited *visited, size_t most);
void visited_close(struct visited *visited);

// True if the state was visited before with no more events asleep. Otherwise it is remembered.
bool visited_before(struct visited *visited, uint64_t hash, const struct actor_set *sleep);

// The same without remembering it.
bool visited_has(struct visited *visited, uint64_t hash, const struct actor_set *sleep);

size_t visited_bytes(const struct visited *visited); // in memory

#endif
