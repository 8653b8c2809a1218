// The operations of the pthread surface, one row a kind (operations.c): when it goes through, what it does, what others
// learn from it. Accesses to memory, mutexes and condition variables are in perform.c itself, which asks here for all the
// others. A new operation is a row in model/op.c, a row here, and its functions next to the call that asks for it.
#ifndef TARGET_OPERATIONS_H
#define TARGET_OPERATIONS_H

#include "target/threads/engine/engine.h"

struct operation {
    // Whether it would go through now; NULL: always.
    bool (*ready)(struct thread *t, struct place *place);
    // Does it, leaves what the call gets in t->result, and says what effect it had.
    enum effect (*perform)(struct thread *t, struct place *place);
    // What follows once it is an event that others can know of; NULL: nothing.
    void (*after)(struct thread *t, enum effect effect);
    // Whether it would put its thread to sleep if it were tried now (sleep.h); NULL: never.
    bool (*sleeps)(const struct thread *t);
};

extern const struct operation operations[OP_KINDS];

// pthreads.c
bool join_ready(struct thread *t, struct place *none);
enum effect do_join(struct thread *t, struct place *none);
enum effect do_tryjoin(struct thread *t, struct place *none);

// once.c
bool once_ready(struct thread *t, struct place *once);
enum effect do_once(struct thread *t, struct place *once);

// rwlocks.c
bool rdlock_ready(struct thread *t, struct place *lock);
bool wrlock_ready(struct thread *t, struct place *lock);
enum effect do_rdlock(struct thread *t, struct place *lock);
enum effect do_rdlock_among_others(struct thread *t, struct place *lock);
enum effect do_wrlock(struct thread *t, struct place *lock);
void after_rdlock(struct thread *t, enum effect effect);
enum effect do_rwtry(struct thread *t, struct place *lock);
void after_rwtry(struct thread *t, enum effect effect);
enum effect do_rwunlock(struct thread *t, struct place *lock);
void after_rwunlock(struct thread *t, enum effect effect);

// rwlocks_queue.c
enum effect do_rdlock_queued(struct thread *t, struct place *lock);
enum effect do_wrlock_queued(struct thread *t, struct place *lock);
void after_queued(struct thread *t, enum effect effect); // whoever can go through now tries again
bool rwqueue_would_sleep(const struct thread *t);

// semaphores.c
bool sem_ready(struct thread *t, struct place *sem);
enum effect do_sem_wait(struct thread *t, struct place *sem);
enum effect do_sem_trywait(struct thread *t, struct place *sem);
enum effect do_sem_post(struct thread *t, struct place *sem);
enum effect do_sem_value(struct thread *t, struct place *sem);
void after_sem(struct thread *t, enum effect effect);

// futex.c
enum effect do_futex_wait(struct thread *t, struct place *word);
bool futex_would_sleep(const struct thread *t);

// descriptors.c
enum effect do_descriptor(struct thread *t, struct place *none);
enum effect do_descriptor_among_timers(struct thread *t, uint32_t outcome); // that the search chose
void after_descriptor(struct thread *t, enum effect effect);
bool fd_would_sleep(const struct thread *t);

// barriers.c
enum effect do_barrier(struct thread *t, struct place *barrier);
enum effect do_pass_barrier(struct thread *t, struct place *round);

// cancel.c
enum effect do_cancel(struct thread *t, struct place *place);
void after_cancel(struct thread *t, enum effect effect);
enum effect do_testcancel(struct thread *t, struct place *place);
bool cancelled_ready(struct thread *t, struct place *place);
enum effect do_cancelled(struct thread *t, struct place *place);

// signals.c
enum effect do_kill(struct thread *t, struct place *place);
bool sigwait_ready(struct thread *t, struct place *place);
enum effect do_sigwait(struct thread *t, struct place *place);
enum effect do_sigtry(struct thread *t, struct place *place);
enum effect do_sigmask(struct thread *t, struct place *place);
void after_signals(struct thread *t, enum effect effect);

// forked.c
enum effect do_process_end(struct thread *t, struct place *none);
void after_process_end(struct thread *t, enum effect effect);
enum effect do_reap(struct thread *t, struct place *none);
bool reap_would_sleep(const struct thread *t);

// client.c
enum effect do_call(struct thread *t, struct place *none);
// outside.c
enum effect do_look(struct thread *t, struct place *none);

// An event that others may come before or after; the thread itself does what it stands for right afterwards.
enum effect do_event(struct thread *t, struct place *none);

#endif
