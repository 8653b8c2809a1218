// What is true of a program, found without any strategy.
#ifndef FUZZ_ORACLE_H
#define FUZZ_ORACLE_H

#include "fuzz/machine.h"

// All outcomes, by visiting every state of a plain interpreter of its own, in which every instruction is a step (those
// that only look at registers go with the one before). In `locals`, unless it is null, the same without the cells. False if there are more than `limit` states.
bool oracle_outcomes(const struct program *p, struct set *outcomes, struct set *locals, uint32_t limit);

// All traces of the machine: every beginning of every trace is visited once. False if there are more than `limit`.
bool oracle_traces(struct machine *m, struct set *traces, uint32_t limit);

// All outcomes of the machine with at most `bound` preemptions.
bool oracle_bounded(struct machine *m, uint32_t bound, struct set *outcomes, uint32_t limit);

// Whether the machine can come to a state from which no end can be reached. False if it has more than `limit` states.
bool oracle_endless(struct machine *m, uint32_t limit, bool *endless);

#endif
