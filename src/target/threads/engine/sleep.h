// Operations that sleep: a futex that has the expected value, a pipe with nothing to read.
//
// Such an operation is tried when the search says so. If it cannot go through, the thread falls asleep, and that it looked
// is an event: a read of its object. Whoever changes the object wakes it; it then tries again, or, of a futex, goes on.
//
// Locks and semaphores are different: they are not ready while somebody holds them, and nothing happens until they are.
// A call on a pipe can be kept waiting in several ways (nothing to read, no room to write, one of many polled), so it
// is always ready instead. Dependence needs no new rule: a call that changes something is a WRITE, one that finds
// nothing is a READ. A futex that has the expected value is a READ and sleeps; waking is always a WRITE. Readers–writer
// locks that prefer writers are done in the same way, since a writer that has begun to wait keeps readers out.
//
// A call with a time-out on descriptors never sleeps: it looks once, and the search moves that moment about. Only a
// futex needs a choice, since a sleeper there can take a wake-up from another. Each of these calls is a cancellation
// point: it asks before every try, and one that sleeps in spite of a request waits for nothing (cancel_ends_wait).
//
// A call's arguments stand on its thread's stack, where going back finds them, and the request points there. Others may
// look at a sleeper's call but must not write to it.
#ifndef TARGET_SLEEP_H
#define TARGET_SLEEP_H

#include "target/threads/engine/engine.h"

// Whether the request would put its thread to sleep if it were tried now.
bool would_sleep(const struct thread *t);

// Wakes a sleeping thread, which comes after what `by` did: it tries `again`, or its call is over.
void wake_sleeper(struct thread *by, struct thread *sleeper, bool again);

// futex.c
void futex_wake(struct thread *t, uint32_t alternative);
uint32_t futex_outcomes(const struct request *r);
// descriptors.c

// futex.c, for syscalls.c
long futex(struct thread *t, const long *arguments, const void *pc); // result, or the negated error number

#endif
