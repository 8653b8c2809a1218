// Registers to which values are written more than once: a read of a value that was overwritten for certain, whichever write
// of it is meant, shows that there is no order. This is quick; that there is no such read shows nothing.
#ifndef HISTORY_STALE_H
#define HISTORY_STALE_H

#include "history/linearize.h"

// Uses the whole space. False also for what is no register, and if there is no room.
bool stale_read(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                const struct lin_options *options);

#endif
