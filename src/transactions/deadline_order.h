// Runs the transactions of a history like a database that knows what each of them is going to read. A version stays
// until all its readers have read it, and of the transactions that could go on, the one with the earliest deadline
// does. The result is an order in which every choice of choices.h is made, without looking at pairs. If this leads to a
// dead end there is no result, and that proves nothing.
#ifndef TRANSACTIONS_DEADLINE_ORDER_H
#define TRANSACTIONS_DEADLINE_ORDER_H

#include "transactions/dependency.h"

// By when each node has to come, as of the time of its return and those of all that have to come after it. Room for all
// nodes; belongs to the caller. The graph has no circle.
int64_t *schedule_deadlines(const struct dependencies *d);

// The nodes in their order, into `nodes`, which has room for all. False: a dead end.
bool schedule_find(const struct dependencies *d, const int64_t *deadline, uint32_t *nodes);

#endif
