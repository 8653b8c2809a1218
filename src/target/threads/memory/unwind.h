// Call stacks of a program without hooks, for the recorded run: from the unwind tables that compilers leave for
// exceptions.
#ifndef TARGET_UNWIND_H
#define TARGET_UNWIND_H

#include "target/threads/engine/engine.h"

// Finds the library that can read them. Without it call stacks are empty.
void unwind_prepare(void);

// Makes engine.calls what hooks would have made it for the thread, which runs, or has just been stopped by a signal, at
// `pc`.
void unwind_calls(struct thread *t, uint64_t pc);

// Where the running code was called from, innermost first, heddle's own functions left out. Returns how many there are, up to
// `room`; none before unwind_prepare.
uint32_t unwind_callers(uint64_t *addresses, uint32_t room);

#endif
