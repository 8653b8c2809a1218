// The tail of an execution: what main does from the join that it waits in to the end of the process, when everybody else has
// ended. It is the same code on the same state in most executions of a search, so it is remembered and need not run each time.
//
// Why that is right. A tail runs alone, so what it does is decided by the state that it begins in. This is the same again if
//
// - main's record and live stack are, byte for byte (its registers lie on its stack),
// - main has created as many threads, as many are unjoined, and the same ones have been joined (none is detached, and since nobody
//   else is live, all have ended: main may join its own),
// - each word that it read through a hook holds what it held, and
// - each thread that it joined and that another one created has ended and may be joined.
//
// Then it would read the same first word, and so, by induction, do all that it did: nothing that anybody can tell. A tail is
// remembered only if
//
// - it ended the process, with status 0 and without a failure,
// - the undo log grew by what joins and the end of the process put there and nothing else: whatever changes state logs it,
// - it asked for no visible operation but atomic and volatile reads that nobody else is there to order (they are reads of words
//   like others: all that they change besides is what main knows of others), accessed no range of bytes and printed nothing, and
// - all code of the program has hooks, all its inline assembly is followed, and it imports only functions that do one of
//   these or read no state but what is compared (tail_imports).
//
// What the hooks would find wrong with a read is looked at each time. The shadow cell must not be marked (freed, between
// blocks, …). While some thread is unjoined, nobody but main may have written the word, or there could be a race.
//
// The tail always runs where something else looks at executions: in every rare mode, where memory does not go back by the
// log, with leaks, memory errors or turns, in runs of a client, and when an execution is repeated to be compared with
// itself (guard.h, audit.h, watch.h). So the guard compares remembered ends with real ones, too.
#ifndef TARGET_TAIL_H
#define TARGET_TAIL_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

enum tail_mode { TAIL_REMEMBER, TAIL_ALWAYS };

// Once it is known how memory goes back.
void tail_begin(enum tail_mode mode);

// Main is the only live thread, and can join whom it waits for. Whether the process has ended now, without running main. If not,
// main has to run, and is watched if that is worth it (engine.watches_tail).
bool tail_is_known(const struct thread *t);

// Main, which is watched, is about to run; it has run.
void tail_runs(void);
void tail_end(void);

// While main is watched: it is about to access at most eight bytes; it has joined an actor; it does something else that is seen.
void tail_access(const struct thread *t, uint64_t address, uint32_t size, bool write);
void tail_operation(const struct thread *t); // that it asks for, at once since nobody else is there
void tail_join(uint32_t actor);
void tail_spoil(void);

#endif
