// Threads as real ones, for a debugger: each thread of the program has a kernel thread of its own, on the same stack of
// the arena as its fiber would have, and exactly one runs at a time. Switching then means waking another kernel thread and
// going to sleep; all else is as with fibers, so the same schedule gives the same run.
//
// The engine keeps its one stack and has no kernel thread: it runs on that of the thread that parked last (its *host*).
// So every thread of the program that does not run sleeps inside the call that it waits in, which is what a debugger is
// to show. Nothing is ever taken back in this mode.
//
// A thread's switch is a wake-up of another and a sleep on a futex. An operation is carried out on the stack of the
// thread that asked for it, so that a watchpoint on an atomic variable shows that thread's calls. A thread that ends
// lets the kernel wake the next one (set_tid_address) once it is gone from the debugger's list. No timer runs. Stacks
// are at the same addresses as in a search, so spin loops are seen as they are there.
#ifndef TARGET_REAL_H
#define TARGET_REAL_H

#include "target/threads/engine/engine.h"

// Gives a thread that has a stack but has not run its kernel thread. Actor 0 has the process's own.
void real_begin(struct thread *t);

// What thread_resume, thread_park and thread_stop mean here; they keep engine.running and engine.resumer.
void real_resume(struct thread *t, struct thread *resumer); // resumer is null for the engine
void real_park(struct thread *t);
_Noreturn void real_stop(struct thread *t, bool ended);

// Runs a function on the stack of a thread that is parked or stopped, with engine.running null; on the present stack if
// that is the thread's own or if the thread is gone.
void real_call(struct thread *t, void (*function)(void *), void *argument);

#endif
