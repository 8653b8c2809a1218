// The tree of a search by `optimal`, written to the file that the environment variable HEDDLE_TREE names, for bench/spread.sh: a row for each
// execution, in their order.
#ifndef WORKER_TREE_LOG_H
#define WORKER_TREE_LOG_H

#include <stdint.h>

#include "explore/strategy.h"

struct tree_row {
    uint32_t owed;   // branches that were owed when it had ended: those that it found are the newest
    uint32_t left;   // of these, when the next execution was taken: the newest. What lies in between was refused
    uint32_t fresh;  // events that it executed
    uint32_t length; // all of its events
};

// Does nothing if the variable is not set. A search that is shared by workers has no such tree.
void tree_log_begin(struct strategy *strategy);
void tree_log_end(void);

#endif
