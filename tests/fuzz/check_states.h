// Searches by states, checked against plain enumeration.
#ifndef FUZZ_CHECK_STATES_H
#define FUZZ_CHECK_STATES_H

#include "fuzz/check.h"

// Each way of searching by states finds these outcomes, also with a table that has to forget.
const char *check_states(struct machine *m, const struct set *outcomes, struct tally *tally);

// For a program whose threads go round: its outcomes, and whether it may come to where it has no end.
const char *check_circles(struct machine *m, struct tally *tally);

#endif
