// Visited states that several processes share (searchers.h): a table of fixed size in memory that all of them see. It is cut into stripes,
// each with a lock of its own that is held for the length of one question.
//
// A stripe that is full takes no more; `is_full` tells, and the search has to end. A process that dies while it holds a lock
// leaves the stripe to the others after a while; what it was doing there is lost, and `is_broken` tells.
#ifndef CLUSTER_SHARED_STATES_H
#define CLUSTER_SHARED_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/actor_set.h"
#include "cluster/visited.h"

struct shared_states;

// A table of about so many bytes, which are taken when they are needed; null if that is not possible. Before processes are forked.
struct shared_states *shared_states_open(size_t bytes);
void shared_states_close(struct shared_states *states);

// As visited_visit and visited_has. What there is no room for is VISIT_NEW each time.
enum visit shared_states_visit(struct shared_states *states, uint64_t hash, const struct actor_set *sleep,
                               struct actor_set *before, uint16_t *rank);
bool shared_states_has(struct shared_states *states, uint64_t hash, const struct actor_set *sleep);

uint64_t shared_states_count(const struct shared_states *states);
size_t shared_states_bytes(const struct shared_states *states); // that states have taken
bool shared_states_are_full(const struct shared_states *states);
bool shared_states_are_broken(const struct shared_states *states);

#endif
