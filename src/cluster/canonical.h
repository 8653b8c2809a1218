// One number for all states that differ only in what does not matter: which of two messages on a link was sent first, where they may
// come in any order; and, if asked for, which node is which, where nodes may change places (target/nodes/renaming.h).
//
// Of the states that renaming makes of the one at hand, the one with the least hash stands for all. The sleeping events are
// spelled for that state, so that they can be compared with those of another visit: a message is known by its place among
// those of its link, sorted, and not by its actor.
#ifndef CLUSTER_CANONICAL_H
#define CLUSTER_CANONICAL_H

#include "cluster/actor_set.h"
#include "cluster/exact_states.h"
#include "cluster/policy.h"
#include "target/nodes/world.h"

struct canonical {
    uint32_t renamings; // that the protocol allows
    int (*renaming)[MAX_NODES];
    bool alike; // they count everywhere
    bool is_exact;
    const int *best; // the renaming that made the last state; or null
    struct exact_states exact;
};

void canonical_open(struct canonical *canonical, const struct state_keeping *keeping);
void canonical_close(struct canonical *canonical);

// The number of the state at hand, and how the sleeping events are spelled there. True: nodes were renamed for it.
bool canonical_state(struct canonical *canonical, const struct actor_set *sleep, uint64_t *number,
                     struct actor_set *spelled);

// Under which numbers the actors are spelled in the state at hand, for which canonical_state was asked last.
void canonical_places(const struct canonical *canonical, const struct actor_set *sleep, uint16_t place[MAX_ACTORS]);

// The same for one of the renamings, whatever `alike` says. False if it does not apply.
bool canonical_renamed(struct canonical *canonical, uint32_t which, const struct actor_set *sleep, uint64_t *number,
                       struct actor_set *spelled);

#endif
