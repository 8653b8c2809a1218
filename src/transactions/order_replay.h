// Runs an order of the transactions on lists or registers that begin empty, and compares what each reads there with what the
// file says. It knows nothing of versions and graphs: no order is believed that it did not run.
#ifndef TRANSACTIONS_ORDER_REPLAY_H
#define TRANSACTIONS_ORDER_REPLAY_H

#include "transactions/level.h"
#include "transactions/transaction.h"

// With snapshot isolation a transaction begins and ends; otherwise it is one step, `begins` and `ends` both.
struct replay_step {
    uint32_t transaction;
    bool begins, ends;
};

// Whether everything is as it was seen and the level allows it. Every transaction that committed has to be in the order.
bool replay_fits(const struct transactions *from, const struct level *level, const struct replay_step *steps,
                 uint32_t count);

#endif
