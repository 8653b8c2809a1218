// What the processes of a search by states assume of the program, put together: whether they mean the same when they name a state
// (explore/far_states.h says why that has to be asked). For the command only.
#ifndef SPREAD_STATE_AGREEMENT_H
#define SPREAD_STATE_AGREEMENT_H

#include "base/table.h"
#include "model/state_exchange.h"

// Zero-initialised is empty.
struct agreement {
    struct table facts; // what they are about, and …
    uint64_t *values;   // … what was said first
    size_t room;
    uint64_t digest;     // of what belongs to states by what was said so far
    const char *trouble; // why states cannot be compared, or null
};

// Takes in a report. True if it shows that a word is accessed by several actors, and written, so that it belongs to states: *word is its
// address.
bool agreement_hear(struct agreement *agreement, const struct exchange_record *report, uint64_t *word);

void agreement_free(struct agreement *agreement);

#endif
