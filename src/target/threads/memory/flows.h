// Where the values go that the program reads, as `heddle cc --flows` found it (model/flow.h).
#ifndef THREADS_MEMORY_FLOWS_H
#define THREADS_MEMORY_FLOWS_H

#include "model/flow.h"

// The hook that returns to this address; null if nothing is known of it.
const struct flow *flows_find(uint64_t pc);

#endif
