// Where a debugger can stop a run on real threads: at its failure and at a numbered event; and what it can show there.
//
// The functions and variables that gdb uses (supervise/gdb.c) are exported by name and need no debug information.
//
// A stop is a call on the stack of the thread that it is about. To go back, gdb runs the program again with
// HEDDLE_STOP_EVENT set.
#ifndef TARGET_STOPS_H
#define TARGET_STOPS_H

#include "target/threads/engine/engine.h"

// The failure to stop at: the one that the schedule is about.
void stops_expect(const struct bug *bug);

// "main", "T2 consumer": as reports name it, and the function it started with as far as the kernel has room for it.
const char *stops_thread_name(const struct thread *t);

// The thread is about to take the next event.
void stops_event(struct thread *t);

void stops_failure(const struct bug *bug);

// Whether the expected failure has come.
bool stops_failed(void);

#endif
