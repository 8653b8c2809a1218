// What a strategy that draws executions in turns with `fuzz` tells it.
#ifndef EXPLORE_FUZZ_H
#define EXPLORE_FUZZ_H

#include "explore/strategy.h"

// The execution at hand was drawn by another strategy, and showed something that was new to the pairs they share: new ones may be
// made from it, too.
void fuzz_keep(struct strategy *fuzz);

#endif
