// What a node reports of itself, and what must hold of it.
#ifndef NODE_H
#define NODE_H

#include <raft.h>
#include <heddle/node.h>

#include "io.h"

enum { LOG_MOST = SHADOW_MOST, VALUES_MOST = 24 };

struct fsm_state {
    unsigned count;
    unsigned value[VALUES_MOST]; // in the order in which they were applied
};

struct log_entry {
    unsigned term, type, digest; // of what it says
};

struct node_state {
    unsigned state, term, vote; // of the library: RAFT_LEADER and so on
    unsigned commit, applied, stored;
    unsigned snapshot;      // its last index
    unsigned first, length; // of the log in memory
    struct log_entry log[LOG_MOST];
    struct fsm_state fsm;
    unsigned answered; // a bit for each value that a client was told is applied
    bool busy;         // a change of members or a transfer is under way
    bool broken;       // it did not start
    bool to_nobody;    // it has sent a message that has no address
    unsigned voters;   // a bit for each server, as this node knows it
    char why[96];      // the library's last message if it has given up
};

extern const size_t claims_size;
const char *claims_observe(const struct heddle_view *v, int node, void *memory);
const char *claims_check(const struct heddle_view *v);
const char *claims_quiet(const struct heddle_view *v);

#endif
