// One of the ranks that explore, as its files share it.
#ifndef MPI_FELLOW_H
#define MPI_FELLOW_H

#include "mpi/message.h"
#include "supervise/run.h"

struct fellow {
    uint64_t number;       // of the unit at hand
    uint64_t search;       // the last search by states
    bool stopped;          // rank 0 wants it back
    char program[4096];    // that was sent; empty: none was …
    uint64_t hash;         // … and which that is
    struct message *early; // of a search by states that others have begun before it was heard of here
    size_t early_count, early_room;
    struct watch watch;
    struct buffer result; // what has become of the unit
};

// The program at this path if it is the same here, or a copy of what rank 0 has; null if there is none.
const char *fellow_find_program(struct fellow *fellow, const char *path, uint64_t hash);

// Takes part in a search by states (state_ranks.h).
void fellow_search_states(struct fellow *fellow, struct message *message);

#endif
