// Whether a state's subspace has no data race: all executions that begin as the one at hand did up to that state. Judged from
// that one execution, for property-driven pruning (seed 002, chapter 5).
//
// The seed takes the locks that threads held at the accesses it observed, adds by static analysis what the branches not
// taken would have accessed, and assumes that nothing else changes with the schedule. But addresses change, and what the
// code after a branch finds, and arguments of calls. Here nothing may change at all:
//
// *Each thread's sequence of accesses, locks and thread calls is the same in every execution of the subspace*, but for being
// cut short where the thread blocks or the process ends. For a thread behaves as observed unless something it finds is
// different. What it can find is the result of an operation or the value of a plain read.
//  - Operations whose result may depend on the schedule must not occur after the state (`fixed_kind`). Taking and letting go of
//    locks, waiting for condition variables and semaphores, creating and joining threads give the same result always.
//  - A read is *contested* if its value may differ. Let two accesses to a byte by different threads, one of them a write, be
//    unordered by the program's own order, by thread creation and joins. Then the byte is *unstable* and reads of it after
//    the state are contested. So are reads of bytes into which a thread wrote something made of a contested read.
//    All other reads see what they saw: the writes to their byte come in one order, and write what they wrote.
//    A contested read is harmless if its value ends in arithmetic and in stores (`x++` under a lock), or decides only whether
//    the thread waits for a condition variable or signals one; the compiler's output tells that (model/flow.h).
//    Otherwise the subspace is not known.
//  - All threads must have come to their end: what a blocked or failed one would have done next is not known.
//
// Then the subspace has no race if any two conflicting accesses of different threads, of which at least one is after the state,
// are ordered in every execution of it, or have a lock in common that one of the two holds alone. Ordered are, in every
// execution of the subspace: what the execution up to the state ordered, locks included, since all share it; what a thread does
// after it takes a lock, with what was done before the last release up to the state, and before the first release after it
// if the lock was held there; and what creating and joining order. What only the order of critical sections after the state
// orders counts as unordered, since that may be turned round.
// One thing more is ordered: if a thread waits under a lock as long as a word is zero (`while (!done) pthread_cond_wait(…)`, model/flow.h), the
// word was zero in the state, and one thread writes it once, then what that thread did up to the write comes before what
// the other does after its loop. For it goes on only where it has read that write, after the writer let go of the lock.
// Atomic accesses, barriers and so on after the state are of no fixed kind; before it, what they order is forgotten, and an atomic
// access counts as a write.
#ifndef EXPLORE_SUBSPACE_H
#define EXPLORE_SUBSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"
#include "model/journal.h"

struct subspace;

struct subspace *subspace_new(const struct exec *exec, struct journal *journal);
void subspace_free(struct subspace *s);

// An execution has ended, or was given up: the questions that follow are about it. False if it tells of no other, and nothing may be
// asked.
bool subspace_look(struct subspace *s);

// Whether no execution that begins with the first `events` events of the one at hand has a race after them. False if that is not
// known.
bool subspace_is_race_free(struct subspace *s, uint32_t events);

// Calls `act` for each event from `first` on and before `events`, and each operation of another actor that may follow in the
// subspace, unless creation or joins decide their order.
typedef void (*subspace_act)(void *context, uint32_t earlier, uint32_t actor, struct op later);
void subspace_each_unordered(struct subspace *s, uint32_t first, uint32_t events, subspace_act act, void *context);

#endif
