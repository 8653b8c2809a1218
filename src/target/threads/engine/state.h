// What the program's present state is, as a fingerprint: for searches that go on from each state only once.
//
// Everything that the rest of the execution can depend on: the program's memory, the live stacks of its threads and what they
// are about to do, who holds and awaits what. Not what merely tells how it came about: events, clocks, epochs of accesses.
// What heddle keeps for the program elsewhere is taken as it stands in the undo log, so that a family of calls that is not
// thought of here can make states differ that need not, but never makes different ones the same.
#ifndef TARGET_STATE_H
#define TARGET_STATE_H

#include "model/fingerprint.h"
#include "target/threads/engine/engine.h"

// States are going to be asked for. Called before the program begins anew: what earlier executions left on stacks would stay in
// the first frames of each thread, and a fresh run, which audits compare with, would not have it.
void state_prepare(void);

// From now on states are asked for. Called where no event has happened yet.
void state_begin(void);

// No longer.
void state_end(void);

// A step has been taken: takes in what it changed.
void state_follow(void);

struct fingerprint state_now(void);

// Clears the stack below the caller: what a function of heddle left there would be found in gaps of the next one's frame,
// where it tells states apart for nothing. For what the program calls between its visible operations.
void state_clear_stack(void);

static inline void state_leave_nothing(void)
{
    if (__builtin_expect(engine.matching, 0))
        state_clear_stack();
}

#endif
