// Virtual time travels along what orders threads: whoever joins a thread that slept, takes a lock that it held, or reads what it
// wrote sees a clock that shows no less than its did then.
//
// Each thread has a clock of its own, which goes on where it sleeps, waits in vain or reads it. An object has the time of
// whoever wrote it last or let it go last. It follows from what an event looks at, never from the order of independent ones: what
// only reads leaves no time behind, additions leave the greatest, and what writes without looking learns nothing. So executions
// that differ in the order of independent events show the same clocks.
//
// Programs that never read a clock need none of this; `learnt.time_read` says whether one does.
#ifndef TARGET_TIMES_H
#define TARGET_TIMES_H

#include "model/fingerprint.h"
#include "target/threads/engine/engine.h"

void times_event(struct thread *t, enum effect effect); // the thread's request was carried out
void times_release(const struct thread *t, uint32_t object);
void times_release_shared(const struct thread *t, uint32_t object); // only who takes it alone learns of it
void times_learn(struct thread *t, uint64_t now);                   // … what a clock showed to whoever comes before
void times_mix(struct fingerprint *f); // into a state: times of objects that could tell somebody something

#endif
