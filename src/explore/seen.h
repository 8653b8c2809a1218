// Recognises states that were reached before by another order of independent events.
//
// A prefix is known by its trace: the set of its events, each with what it depends on. Equal traces lead to the same
// state, which is what `optimal` rests on as well. Traces are compared by hashes of 128 bits, in a table that forgets
// when it is full: a state may then be explored twice, but none is left out.
#ifndef EXPLORE_SEEN_H
#define EXPLORE_SEEN_H

#include "model/exec.h"

struct seen;

struct seen *seen_new(const struct exec *exec);
void seen_free(struct seen *seen);

// Catches up with the execution, which may have grown or been cut since the last time, but not both.
void seen_follow(struct seen *seen);

// The trace of what was followed, by a hash of it.
uint64_t seen_trace(const struct seen *seen);

// Whether everything that can follow the present state with `left` more preemptions has been tried from this state,
// or is being tried, in the same `round`; if not, it is taken to be from now on. `last` is the actor that can go on
// without a preemption, or MAX_ACTORS if nobody's turn would be interrupted.
bool seen_before(struct seen *seen, uint32_t round, uint32_t last, uint32_t left);

#endif
