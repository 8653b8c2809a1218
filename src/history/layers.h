// Linearizability of queues and stacks into which values are put more than once: all orders at the same time, one operation
// after the other, of which only what still matters is kept. Quick where few operations are under way at a time, however
// long the history is. (In general the question is as hard as they come: then there are too many.)
//
// While few operations are under way at a time it takes linear time: 100,000 operations of 8 processes take half a
// second (queue) or some seconds (stack).
#ifndef HISTORY_LAYERS_H
#define HISTORY_LAYERS_H

#include "history/linearize.h"

// Unknown where the history is not of this kind, or there are too many possibilities at a time, for four fifths of the time that is
// left or for so many bytes. `visited` gets their number.
enum verdict layers_check(const struct spec *spec, const struct operation *ops, uint32_t count,
                          const struct lin_options *options, size_t bytes, uint64_t *visited);

#endif
