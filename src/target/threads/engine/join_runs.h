// Joins in a row: main waits for one thread after the other, and it does not matter which of them ends first.
//
// Where main waits in pthread_join and has then nothing to do before the next pthread_join but to look at its own stack, or at
// variables that nobody else has written so far (a global array of handles), it only gets to where it waits for the next thread,
// whatever the others do in between. So from the first of these joins on main waits until all of the threads have ended, and then goes
// on from where the last join returns. That is what its state is taken to be: the last of these joins, and who has not ended.
//
// Which joins follow each other is learnt from executions. Each place where main waits is known by main's stack and registers
// (it stops at every join, also for a thread that has ended). It must always wait for the same thread there, and go on in the same way:
// the handles may lie where they are no part of that. When main goes on the run *continues* if the next thing it
// does is to join another thread. It *ends* there if main does something else: accesses memory that others have written, asks for an
// operation, changes anything at all but its own stack (the log of writes shows it), wants to know what the thread returned.
//
// Threads of one kin have to be joined in one run (likeness.h), or none of them. Where that is not so the search begins anew, with
// other kin; likewise if a join does not always continue in the same way, or if it is not known at the end of the search how one
// would have.
#ifndef TARGET_JOIN_RUNS_H
#define TARGET_JOIN_RUNS_H

#include "target/threads/engine/likeness.h"

struct join_run {
    struct fingerprint last;           // stands for the last join of the run
    uint64_t awaited[MAX_ACTORS / 64]; // threads that are still to be joined, whether they have ended or not
    uint32_t asked;                    // the last of them, if main wants to know what it returned; else MAX_ACTORS
};

// Nothing is known of joins.
void join_runs_begin(void);

// Main has come to a join, and not from another one. It stops there.
void join_runs_arrive(void);

// Main, which waits to join a thread that has ended, is about to go on; and has gone on.
void join_runs_leave(void);
void join_runs_left(void);

// Main accesses memory while it goes on.
void join_runs_look(const struct thread *t, const struct cell *cell, uint64_t address);

// What main does depends on the thread that it joined.
static inline void join_runs_break(void)
{
    engine.joins_in_a_row = false;
}

// Main wants to know what the thread that it joined has returned.
void join_runs_ask(void);

// The run of joins that main waits in; false if it does not wait in one whose end is known.
bool join_runs_now(struct join_run *run);

// Whether the first end of a run was learnt since this was last asked: states of before do not have it.
bool join_runs_grown(void);

// Whether every join was in a run that all of each kin are in. If not, what was learnt about kin is in the lessons.
bool join_runs_vouch(void);

#endif
