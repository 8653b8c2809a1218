// Linearizability without a search for registers, queues and stacks into which no value is written twice: there the history
// shows which write a read saw. In nearly linear time; for stacks times the number of values that lie on each other.
#ifndef HISTORY_UNIQUE_H
#define HISTORY_UNIQUE_H

#include "history/linearize.h"

// Unknown where the history is not of this kind, or there is not enough memory. Uses the whole space.
enum verdict unique_check(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                          const struct lin_options *options);

// The same for registers and maps, of which only one key is used; the space is not cleared.
enum verdict unique_register_check(struct space *space, const struct spec *spec, const struct operation *ops,
                                   uint32_t count, const struct lin_options *options);

#endif
