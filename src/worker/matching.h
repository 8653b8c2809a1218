// States of a client that were come to: the program's (target/threads/engine/state.h), with what of the history so far still
// matters (prospects.h).
//
// Where not all writes to memory are known (restart by replay), nothing is matched.
#ifndef WORKER_MATCHING_H
#define WORKER_MATCHING_H

#include <stdbool.h>
#include <stdint.h>

// The client stands at its first event.
void matching_begin(void);

// For strategy_options.known.
bool matching_known(void *unused);

// How many different states there were.
uint64_t matching_end(void);

#endif
