// What nothing seems to depend on: parts of a node's global variables that could be called auxiliary (target/nodes/relevant.h).
//
// A part that took different values in the states that were visited is given one of the others, and what can happen at the node is tried:
// if everything but the part itself comes out the same, for every value, event and state that was tried, it is proposed. Nothing
// that is proposed is used before the protocol declares it; then --audit looks into it.
#ifndef CLUSTER_PROPOSE_H
#define CLUSTER_PROPOSE_H

#include <stddef.h>

#include "base/buffer.h"
#include "explore/draw.h"

struct proposals {
    struct part *part; // of the segment; null: nothing is asked for
    uint32_t count, turn;
    struct draw draw;
};

void proposals_open(struct proposals *proposals, uint64_t seed);
void proposals_close(struct proposals *proposals);

// Looks at the state at hand, at which nothing is being chosen, and tries a few.
void proposals_look(struct proposals *proposals);

// Their names, with commas; nothing if there are none.
void proposals_tell(const struct proposals *proposals, struct buffer *text);

#endif
