// Runs the transactions of a history as a database would that knows what each is going to read: a version stays until all
// its readers have had it, and of those that could go on the one that has to be done first does. What comes out is an order
// in which every choice of choices.h is made, without looking at pairs; nothing comes out where this leads to a dead end,
// and that says nothing.
#ifndef TRANSACTIONS_SCHEDULE_H
#define TRANSACTIONS_SCHEDULE_H

#include "transactions/dependency.h"

// By when each node has to come, as of the time of its return and those of all that have to come after it. Room for all
// nodes; belongs to the caller. The graph has no circle.
int64_t *schedule_deadlines(const struct dependencies *d);

// The nodes in their order, into `nodes`, which has room for all. False: a dead end.
bool schedule_find(const struct dependencies *d, const int64_t *deadline, uint32_t *nodes);

#endif
