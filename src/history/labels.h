// Operations that are alike in all but time, and for most specifications process: equal labels.
#ifndef HISTORY_LABELS_H
#define HISTORY_LABELS_H

#include "history/space.h"

// Gives each operation a label, from 0 on. Their number, or POOL_FULL if there is no room.
uint32_t label_operations(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                          uint32_t *label);

#endif
