// The search by reads-from classes, checked against plain enumeration.
#ifndef FUZZ_CHECK_RF_H
#define FUZZ_CHECK_RF_H

#include "fuzz/check.h"

// `rf` finds these local outcomes, and runs one execution of each class that the traces of the program fall into.
const char *check_rf(struct machine *m, const struct set *locals, uint64_t seed, struct tally *tally);

// How many executions `rf` takes; 0 if it meets a class twice.
uint64_t count_rf(const struct program *p);

#endif
