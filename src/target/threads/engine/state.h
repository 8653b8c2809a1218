// What the program's present state is, as a fingerprint: for searches that go on from each state only once.
//
// Everything that the rest of the execution can depend on: the program's memory, the live stacks of its threads and what they
// are about to do, who holds and awaits what; virtual time, if the program looks at it. Not what merely tells how it came about:
// events, clocks, epochs of accesses.
// What heddle keeps for the program elsewhere is taken as it stands in the undo log, so that a family of calls that is not
// thought of here can make states differ that need not, but never makes different ones the same.
//
// The program's part is a sum over all words that a step changed. It is taken from the undo log and kept by event, so
// that going back costs nothing; memory allocated since, live stacks and threads' records are taken as they are. Before
// a thread runs, the dead part of its stack and the gaps between blocks of the heap are cleared: garbage could only
// tell states apart, but it would do so often. What is dead inside live frames and in registers the program itself
// clears (assembly_remains.h).
#ifndef TARGET_STATE_H
#define TARGET_STATE_H

#include "model/fingerprint.h"
#include "target/threads/engine/engine.h"

// States are going to be asked for. Called before the program begins anew: what earlier executions left on stacks would stay in
// the first frames of each thread, and a fresh run, which audits compare with, would not have it.
// What of the order of accesses belongs to them, for later races (knowledge.h): nothing, fresh accesses if these will do, or all.
enum state_order { ORDER_NONE, ORDER_FRESH, ORDER_ALL };
// `alike`: states of kin will be asked for, if that can be.
void state_prepare(enum state_order order, bool alike);

// From now on states are asked for. Called where no event has happened yet.
void state_begin(void);

// No longer.
void state_end(void);

// A step has been taken: takes in what it changed.
void state_follow(void);

struct fingerprint state_now(void);

// Whether more belongs to states than when this was last asked.
bool state_grown(void);

// The same for all states that are equal if threads that are alike change places (likeness.h).
struct fingerprint state_of_kin(void);

// For each thread the lowest one that could change places with it now, and the state would be the same: itself mostly.
void state_likes(uint16_t *lowest);

// What main's own stack and registers are: where it stands.
struct fingerprint state_of_main(void);

// The program looks at the time for the first time: so far it was no part of states.
void state_reads_time(struct thread *t);

// The thread that runs releases something in between two steps: fresh accesses will not do.
void state_needs_order(void);

// Somebody uses memory on the stack of another thread. When that one ends it is as if it accessed it, too.
void state_shares(uint64_t address, uint64_t size);

static inline void state_releases_silently(void)
{
    if (__builtin_expect(engine.matching, 0))
        state_needs_order();
}

// Clears the stack below the caller: what a function of heddle left there would be found in gaps of the next one's frame,
// where it tells states apart for nothing. For what the program calls between its visible operations.
void state_clear_stack(void);

static inline void state_leave_nothing(void)
{
    if (__builtin_expect(engine.matching, 0))
        state_clear_stack();
}

#endif
