// fork: the new process has a copy of all memory, so what it finds depends on every step that any thread has taken.
//
// Dependence is between events on one object. So, where a program forks while it has other threads, every visible operation has a
// *tick* in front of it and one behind it: events that only look at an object of their own, and commute with one another. Forking
// changes that object. A fork between two ticks of a thread finds exactly the operations before them done, and each such moment
// is another trace.
//
// An effect ALL in the middle of an execution would have to be known to every strategy; ticks are not. They are made
// only in programs that fork while they have other threads, which is learnt. The child is told which mutexes were held
// (snapshot_hold): heddle never locks the mutex itself, so the copy does not say. Unlocking is visible there for the
// same reason.
#ifndef TARGET_SNAPSHOT_H
#define TARGET_SNAPSHOT_H

#include <pthread.h>

#include "target/threads/engine/engine.h"

// Whether the program is known to fork among threads: what was learnt has been taken over.
void snapshot_begin(void);

// The running thread is about to be copied, which is an event if there are others.
void snapshot_take(struct thread *t, const void *pc);

// What the request of the running thread says, with ticks.
void snapshot_visible(struct thread *t);

// Handlers that the program registered for its forks: before one, and after it in the process that forked and the new one.
void snapshot_before(struct thread *t);
void snapshot_after(bool child);

// In the new process: a mutex that some thread of the old one held is held there, by whoever forked or for ever. To be called
// before the C library's function is.
void snapshot_hold(pthread_mutex_t *m);

#endif
