// Contexts of one thread: getcontext, makecontext, swapcontext, setcontext, and jumps from one of its stacks to another.
//
// The C library does the switching; heddle has to know on which stack a thread runs, since that is what is kept at each step.
// So before a switch the stack that it leads to is found by the stack pointer that the context holds, and kept in the log as
// far as it is in use: until now the thread was at work on another one. A context on a stack that makecontext was given may go
// on in another thread than before; one on the stack of another thread may not (the search is given up).
//
// Stacks that makecontext was given are memory of the program, of which only what is in use means something;
// comparisons of memory leave them out.
#ifndef TARGET_CONTEXTS_H
#define TARGET_CONTEXTS_H

#include "target/threads/engine/engine.h"

// The thread is about to go on where the stack pointer is this.
void contexts_enter(struct thread *t, uint64_t sp);

// The same for a jump back to where setjmp was called with this buffer.
void contexts_jump(struct thread *t, const void *buffer, const void *pc);

// The first part of this range that is a stack of contexts, to be left out where memory is compared: below what is in use
// it has whatever was left there. False if there is none.
bool contexts_part(uint64_t from, uint64_t until, uint64_t *start, uint64_t *end);

// The same for those of any execution so far: where a search has gone back to before a context was made, that memory has what was
// left there by another one.
bool contexts_ever(uint64_t from, uint64_t until, uint64_t *start, uint64_t *end);

#endif
