// Which accesses of an execution conflict, as far as that does not depend on the state whose subspace is asked about (subspace.h):
// different threads, one of them writes, bytes in common, and neither creating nor joining threads orders the two. Whatever else
// orders them in some subspace makes fewer conflicts, so a subspace that is free by these is free.
//
// The journal is followed as it grows and is cut, each access once. So a question about one of many states costs no walk over all
// that came before it.
#ifndef EXPLORE_SUBSPACE_RIVALS_H
#define EXPLORE_SUBSPACE_RIVALS_H

#include <stdint.h>

#include "model/journal.h"

// Of an access. Numbers of accesses have 1 added; 0: none.
struct rival {
    uint32_t newest; // the last access before it that it conflicts with
    uint32_t latest; // … of all accesses up to this one
    uint32_t
        unguarded; // the last access up to this one that conflicts with an earlier one under no common lock, or may do so
    uint32_t of;   // the class that it belongs to, as its number plus 1 …
    uint32_t replaces; // … whose last access it took the place of; 0: it made the class
    uint32_t with;     // the last access up to this one that conflicts with an earlier one
    uint32_t
        waits; // the last access up to this one at which its thread may wait where it does not in this execution (FLOW_WAITS)
    uint32_t awaits;         // the last access up to this one that ends a loop of waiting (FLOW_AWAITS)
    uint8_t mask;            // bytes that it conflicts about
    const struct flow *flow; // what the compiler's output says of it; null: nothing
};

// Whether the thread may wait here for a condition variable, in another order, where it does not in this one.
static inline bool rival_may_wait(const struct rival *r, const struct journal_access *a)
{
    return a->kind != JOURNAL_ATOMIC && r->flow && r->flow->flags & FLOW_WAITS;
}

static inline bool rival_awaits(const struct rival *r, const struct journal_access *a)
{
    return a->kind == JOURNAL_READ && r->flow && r->flow->flags & FLOW_AWAITS;
}

struct rivals;

struct rivals *rivals_new(struct journal *journal);
void rivals_free(struct rivals *r);

// Brings it up to date with the journal, in which there are so many actors; returns what is known of each access, by its number.
const struct rival *rivals_follow(struct rivals *r, uint32_t actors);

#endif
