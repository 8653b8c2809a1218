// Operations that sleep: a futex that has the expected value, a pipe with nothing to read.
//
// Such an operation is tried when the search says so. If it cannot go through, the thread falls asleep, and that it looked
// is an event: a read of its object. Whoever changes the object wakes it; it then tries again, or, of a futex, goes on.
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
bool futex_would_sleep(const struct request *r);
// rwlocks_queue.c
bool rwqueue_would_sleep(const struct thread *t);
// descriptors.c
bool fd_would_sleep(const struct request *r);
uint32_t fd_more_objects(const struct request *r); // that it waits for besides its own

// futex.c, for syscalls.c
long futex(struct thread *t, const long *arguments, const void *pc); // result, or the negated error number

#endif
