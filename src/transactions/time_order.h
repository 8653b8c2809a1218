// With an order of time, writes of one register that did not overlap are in a known order, though nobody saw it.
#ifndef TRANSACTIONS_TIME_ORDER_H
#define TRANSACTIONS_TIME_ORDER_H

#include "transactions/versions.h"

// When a chain of versions was made: versions that are known to follow one another directly, from one on. Nothing comes in
// between. So a chain comes first if one of its writers returned before one of the other's was called.
struct chain_times {
    int64_t first_return, last_call;
};

struct chain_times chain_times(const struct versions *versions, uint32_t head);

static inline bool chain_is_before(const struct chain_times *a, const struct chain_times *b)
{
    return a->first_return < b->last_call;
}

#endif
