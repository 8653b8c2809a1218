// States that were visited, and which events slept there. A state is known by a number of 64 bits: its hash, or with exact states a
// number of its own (exact_states.h). It takes fourteen bytes, the sleeping events being in a pool; once the table is as large as it may
// be, the states in it are written to the disk (visited_runs.h), and it begins anew.
// Not base/table.h: a search asks for every state, so what belongs to a state stands where the state is found.
#ifndef CLUSTER_VISITED_H
#define CLUSTER_VISITED_H

#include "cluster/actor_set.h"
#include "cluster/sleep_pool.h"
#include "cluster/visited_runs.h"

enum visit {
    VISIT_NEW,
    VISIT_AGAIN,  // with events awake that slept before
    VISIT_COVERED // with no more awake than before
};

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

// Asks for a state and remembers it. If it was explored with these events asleep, and some of them are awake now (VISIT_AGAIN), `before`
// are those that slept: what is left to explore are the ones among them that are awake, with those asleep that slept both times.
// To explore with what sleeps now instead, and to remember what slept both times, would be wrong: a future that can begin with an event
// of either kind is put off both times (Godefroid's thesis, section 5.3).
// `rank` is kept with a state that is new; of another one it becomes what was kept.
enum visit visited_visit(struct visited *visited, uint64_t hash, const struct actor_set *sleep,
                         struct actor_set *before, uint16_t *rank);

// Whether it would be VISIT_COVERED, without remembering it.
bool visited_has(struct visited *visited, uint64_t hash, const struct actor_set *sleep);

size_t visited_bytes(const struct visited *visited); // in memory

#endif
