// A search that several workers share (spread/ledger.h), as one of them sees it: it gives parts away while others have nothing to
// do, and takes one itself when its own is done.
#ifndef WORKER_SHARING_H
#define WORKER_SHARING_H

#include "spread/ledger.h"
#include "worker/searching.h"

// The ledger is null if the worker is alone. Before the first execution.
void sharing_open(struct worker *w, struct ledger *ledger);

// Whether this worker begins the search: it is alone, or the first of several and nobody has begun it.
bool sharing_begins(const struct worker *w);

bool sharing_look(struct worker *w);

// An execution has ended, and the search goes on. False if this unit is not to be explored any further.
static inline bool sharing_leaf(struct worker *w)
{
    return !w->sharing.ledger || sharing_look(w);
}

// The search has ended as `end` says: the unit at hand is told of in the ledger. Whether there is another, which is begun then.
bool sharing_goes_on(struct worker *w, enum search_end *end);

// Which unit is being explored, for bugs; 0 if the search is not shared. And whether it comes before another.
uint32_t sharing_unit(const struct worker *w);
bool sharing_is_before(const struct worker *w, uint32_t unit, uint32_t other);

// How many executions of that unit have been run, whoever did.
uint64_t sharing_executions(const struct worker *w);

// How much of the whole search is done, given what was estimated for what this worker has of it.
struct share sharing_share(struct worker *w, struct prospect own);

#endif
