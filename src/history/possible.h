// Which states are possible at each time, whatever the order: a quick way to see that there is none.
//
// A search keeps apart all combinations of state and operations that have taken effect; among fifty clients they are too many.
// Here, of each state, only is known with which operations it is possible that have taken effect, and with which that have not,
// each on its own. So more is held to be possible than is. Where nothing is any more, there is no order.
#ifndef HISTORY_POSSIBLE_H
#define HISTORY_POSSIBLE_H

#include "history/reachable.h"

// Whether there is no order, for what respects the order of time. False says nothing. Uses the whole space.
bool possible_nothing(struct space *space, const struct reachable *r, const struct operation *ops, uint32_t count,
                      const struct lin_options *options);

#endif
