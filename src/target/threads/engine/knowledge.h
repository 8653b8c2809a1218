// What later races depend on: of which earlier accesses to plain memory each thread knows, or will come to know.
//
// Two executions that come to the same memory may have come there in different orders, and an access that follows may be
// ordered after an earlier one in the first and race with it in the second. So the order belongs to the state, but only
// as far as it can still matter, and not by the numbers that epochs happen to have:
//
// - Who can know something are threads, and objects that pass on what was released to them. What counts is which of the accesses
//   that are still in the shadow each of them knows of. Epochs of one thread that nobody tells apart are one.
// - A thread that waits for a lock knows nothing before it has it, and then it knows what the last holder did. So it counts as
//   knowing that already, and one that waits for the end of another as knowing all that the other does.
// - What every thread knows in this sense can race with nothing, and is left out, together with objects that pass on no more.
//   In a program that guards everything by locks mostly nothing is left.
// - Accesses to a word that only one thread ever accesses race with nothing, in whatever order, and are left out (accessed.h).
//
// States that are equal in this sense have to stay equal after equal steps, or the number of states would depend on which of them was
// come to first. So what is taken from the shadow must not depend on how it is kept there: a word that was accessed in parts counts as
// one that was accessed as a whole if the same bytes were, and a reader that a later one knew of does not count (race.c).
//
// Where threads order what they do by nothing but atomic accesses, much less will do: the accesses that each thread has made in
// its last step, its *fresh* ones. Nobody can know of those. And it is enough to see races with them. Take the first race of an
// execution, between a and a later b. Do only what happened before a or before b, in the same order, and both at last: each
// atomic load still reads what it read, because what it read happened before it, so a and b are done and still race. Whoever did a
// has taken no step since. What a thread does after an operation it does at once, so where b comes last a is fresh. So
// the race shows from each state with this memory and these fresh accesses, and such a state is visited.
// This fails where a thread releases something in between two of its steps, as by letting a lock go: then somebody may or may
// not know of a where b comes. There everything above is needed (learnt.ordered). It also fails for an atomic load that reads
// what does not happen before it, since its memory order or that of the store is too weak.
#ifndef TARGET_KNOWLEDGE_H
#define TARGET_KNOWLEDGE_H

#include "model/fingerprint.h"
#include "target/threads/engine/join_runs.h"
#include "target/threads/engine/likeness.h"

// States are going to be asked for. `all`: as accessed_prepare has it.
void knowledge_prepare(bool all);

// Finds out what there is to know now. Main counts as waiting for all of `run` (null: for the thread that it joins), and threads
// that cannot take each other's places because of what was accessed are added to `pinned` (null: nobody is renamed). False if
// nobody can be.
bool knowledge_gather(const struct join_run *run, uint64_t *pinned);

// Goes on with that, threads being named so.
void knowledge_mix(struct fingerprint *f, const struct naming *naming);

// For each thread a number that is the same for two of them if what is known stays the same when they change places. It tells most of
// those apart that cannot.
void knowledge_sign(uint64_t *signs);

// Instead of all that: the fresh accesses of the thread that has just taken a step. What the step has changed is noted in between
// (accessed_note).
void knowledge_begin_fresh(const struct thread *t);
struct fingerprint knowledge_end_fresh(void);

#endif
