// Which accesses of a thread belong to one round of a loop, where the recording does not say.
//
// The n-th time that a call passes a place belongs to its n-th round. Of two accesses in one call, the second belongs to a later
// round than the first if its place had been passed at least as often by then as the place of the first.
#ifndef PREDICT_ROUNDS_H
#define PREDICT_ROUNDS_H

#include "predict/regions.h"

// For each record: the how many-th of its thread it is, from 1 on, that does the same at this place in this call, to whichever variable.
uint32_t *rounds_count(const struct regions *g);

static inline bool rounds_same(const uint32_t *counts, uint32_t first, uint32_t second)
{
    return counts[second] <= counts[first];
}

#endif
