// Code that heddle does not see: libraries that are neither the system's nor built by heddle, and that the user does not
// trust. They may lock by means of their own (an atomic word, a futex) and so order what threads do that pass through them.
//
// No race is reported that such a library may order: whoever goes into its code or comes out of it knows what everybody knew
// who did so before. As libraries call one another, all of them count as one. A verdict after that is at best incomplete,
// with the library's name.
//
// A thread passes through foreign code where it calls in; before and after each operation of heddle's that the library
// asks for, since others may run meanwhile; around accesses of C library functions that the library calls; and where
// the library calls back, at the beginning and the end of the program's function. An atomic operation of the program
// passes too if it writes, or reads what the program did not write: `g_once` of GLib looks at a word in its header that
// the library sets. What is not seen is a call through a table of functions that the library made, if nothing in there
// is ever waited for.
#ifndef TARGET_FOREIGN_H
#define TARGET_FOREIGN_H

#include <stdbool.h>

#include "base/paths.h"
#include "target/threads/engine/engine.h"

// Finds out which code is foreign. Before the first execution, when all libraries are there.
void foreign_look(const char *trusted);

// The code at `pc` if it is foreign and there are other threads: goes into it or comes out of it.
void foreign_pass(struct thread *t, const void *pc);

// The thread calls a function of such a library. One that the user trusts orders nothing by itself.
void foreign_call(struct thread *t, bool trusted);

// A function of the program begins that this code called; and one begins or ends, after that has happened, whose frame is there.
void foreign_calls_back(struct thread *t, const void *caller, const void *frame);
void foreign_called_back(struct thread *t, const void *frame, bool ends);

// An atomic operation of the program: such code may have written what it reads, or may read what it writes.
void foreign_before_atomic(struct thread *t, const struct request *r);
void foreign_after_atomic(const struct request *r);

static IN_PLACE bool foreign_is_there(void)
{
    return unlikely(engine.foreign);
}

// Whether it may be foreign code, or the system's where there is some. (All of it lies above the program.)
static IN_PLACE bool foreign_perhaps(const void *pc)
{
    return unlikely((uint64_t)(uintptr_t)pc >= engine.foreign_from);
}

#endif
