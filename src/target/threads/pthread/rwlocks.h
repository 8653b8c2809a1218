// Readers–writer locks that prefer writers (rwlocks_queue.c), for the others (rwlocks.c).
#ifndef TARGET_RWLOCKS_H
#define TARGET_RWLOCKS_H

#include <pthread.h>

#include "target/threads/engine/engine.h"

bool rwlock_prefers_writers(const pthread_rwlock_t *l);

// How a writer asks, in the operand of its request: it announces itself, waits for its turn, or takes the lock if it is
// its turn now that its time is over.
enum queue_way { QUEUE_COMES, QUEUE_WAITS, QUEUE_GIVES_UP };

// Takes the lock, if need be after waiting. 0.
int rwqueue_read(struct thread *t, uint32_t number, const void *pc);

// The same to write; not 0 if its time was over.
int rwqueue_write(struct thread *t, uint32_t number, bool timed, const void *pc);

// A reader or writer has let go of the lock, which is kept.
void rwqueue_let_go(struct place *lock);

#endif
