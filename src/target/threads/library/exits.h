// How a process ends: exit and its kin, what was registered for that, destructors.
#ifndef TARGET_EXITS_H
#define TARGET_EXITS_H

#include "target/threads/engine/engine.h"

// exit: destructors of the thread's own variables, handlers, destructors of modules; meanwhile the others run on. Then the
// process ends, and everybody with it.
_Noreturn void exits_leave(struct thread *t, int status, const void *pc);

// The process ends by a signal by which a test is to end: nothing more is run.
_Noreturn void exits_as_expected(struct thread *t, const void *pc);

// A thread is about to end. If it is the last one, that is the end of the process.
void exits_thread_ends(struct thread *t);

// Whether that has happened in some execution, with handlers to be run and more than one thread that could have been the last.
bool exits_by_last_thread(void);

// How many handlers are registered.
uint64_t exits_registered(void);

// Handlers registered so far belong to libraries, and run after the program's destructors.
void exits_libraries_are_ready(void);

// In a copy of the process that heddle does not control: the C library gets what was registered.
void exits_hand_over(void);

// Whether the lists of handlers lie there, and how many there are. Nothing in them names a thread.
bool exits_keep_there(uint64_t address);

#endif
