// Why a part is wrong: up to which event it was still right, and the few operations that cannot be put in order.
//
// What is left out of a failing history must not have been able to help, or every history would shrink to one read. Three
// things may go: an operation that only reads; every operation on some values, where values do not get in each other's way
// (a register, a queue); and an operation that may as well have taken effect at any time after its call, or never. What
// still fails after that shows that the whole fails.
#ifndef HISTORY_REASON_H
#define HISTORY_REASON_H

#include "history/judge.h"

enum { REASON_STATES = 8, REASON_STATE_TEXT = 160 };

struct reason {
    // The return after which there is no order any more; UINT32_MAX if it was not found, or the judgement knows none.
    uint32_t last; // operation of the part

    uint32_t *ops; // of the part: those of the smallest history that fails, in order of their calls
    uint32_t count;
    int64_t end;                                   // position of time up to which it was looked at
    bool smallest;                                 // leaving out one more would make it right, or would not be allowed
    bool has_states;                               // the following are known
    bool more_states;                              // there are more than fit
    char states[REASON_STATES][REASON_STATE_TEXT]; // those that orders of what returned before `last` can lead to
    uint32_t state_count;
};

// The part's verdict is no. Takes no longer than up to `deadline`.
void reason_find(struct reason *e, struct linearizer *z, const struct judged *judged, const struct judged_part *part,
                 const struct values *values, double deadline);

void reason_free(struct reason *e);

#endif
