// A search by states that the ranks of an MPI job share (explore/far_states.h has the argument). All ranks but rank 0 search; each
// carries what its worker says of states to whom it concerns, in batches. Rank 0 hears what they assume (spread/state_agreement.h) and decides
// when the search is over:
//
// - A rank whose worker has closed the first state of all says so.
// - Rank 0 asks everybody for all that was said up to then. Each sends what is under way, and then a mark, to rank 0 and to all others.
// - If rank 0 finds that all who spoke meant the same, it tells everybody. A rank ends its worker when it has the marks of all others,
//   so that it has all that was said to it, and counts the states that it keeps.
//
// If a rank dies, or if they did not mean the same, nothing comes of it: rank 0 searches alone.
#ifndef MPI_STATE_RANKS_H
#define MPI_STATE_RANKS_H

#include <stdint.h>

// What has become of one rank's search, in front of its saved search.
struct states_result {
    uint64_t begun, over;     // it searched with others; and to the end
    uint64_t messages, bytes; // that it sent to others
};

#endif
