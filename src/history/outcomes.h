// What a few processes can see if their calls happen one at a time: every combination of results that some order gives.
// Testing an object against this needs no times, and is how Line-Up and Violat judge.
#ifndef HISTORY_OUTCOMES_H
#define HISTORY_OUTCOMES_H

#include "history/linearize.h"

enum { OUTCOMES_OPS = 64 };

struct outcomes {
    struct pool results; // runs of one result for each operation, in the order of the operations
    uint64_t stuck;      // places at which every process that has something left to call has to wait
};

// All outcomes of the operations, of each process in the order in which they stand; results and times are not looked at.
// False if there is no room; everything lives in the linearizer's space until its next use.
bool outcomes_find(struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                   struct outcomes *outcomes);

// The nth combination of results.
const int64_t *outcomes_get(const struct linearizer *z, const struct outcomes *outcomes, uint32_t nth);

// Whether the results of these operations, all of which returned, are among the outcomes.
bool outcomes_has(const struct linearizer *z, const struct outcomes *outcomes, const struct operation *ops,
                  uint32_t count);

#endif
