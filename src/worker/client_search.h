// The search for clients of an object (heddle lin): one client after the other, each by the strategy that pays.
#ifndef WORKER_CLIENT_SEARCH_H
#define WORKER_CLIENT_SEARCH_H

#include "worker/searching.h"

// One client after the other; an attempt that learnt something goes on with the one under way. In front of each of them the
// program goes back to its beginning.
void client_search_run(struct worker *w);

// Whether calls promise to make no more than so many steps. Then it matters how often a loop goes round, which is left out
// where threads in circles stop for good.
bool client_search_counts_steps(void);

#endif
