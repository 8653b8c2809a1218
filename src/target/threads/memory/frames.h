// Where the functions that threads are in have their variables, for the recorded run, in which others use them and the report calls
// them by their names; and for --memory-errors.
//
// At the entry of each function such a run notes the stack and frame pointer, from which the unwind tables give
// the frame's address.
#ifndef TARGET_FRAMES_H
#define TARGET_FRAMES_H

#include "target/threads/engine/engine.h"

struct call_frame {
    uint64_t pc;     // in the function, at its beginning …
    uint64_t sp, fp; // … and the stack and frame pointer there; pc is 0 if they are not known
};

// The thread has entered a function, whose first hook returns to `pc`. To be called last, so that nothing of the hook's own
// is left on the stack.
void frames_enter(struct thread *t, const void *pc);

// The thread is about to leave the function it is in, at `pc`: whoever uses its variables without being ordered before that may as
// well do so afterwards. The end of a frame counts as a write of every byte, like that of a block. It reaches down to `stack`, if that
// is known: arrays of variable length lie below what the function had at its beginning.
void frames_leave(struct thread *t, const void *pc, uint64_t stack);

// Whether an address on the stack of a thread that does not run lies below all of the program's frames there. False if it is not
// certain: a function may have more on its stack than it had at its beginning.
bool frames_is_left(const struct thread *t, uint64_t address);

// So that going back finds the thread's frames as they are now.
void frames_keep(const struct thread *t);

// The thread's frames, outermost first: room for CALL_DEPTH.
struct call_frame *frames_of(const struct thread *t);

struct found_frame {
    struct call_frame frame;
    uint32_t actor;    // whose stack it is on
    uint64_t at;       // where the function is now
    uint64_t low, end; // the frame has the addresses from low up to, but not including, end
};

// The frame that has this address. `pc` is where the running thread is. False if it is no stack's, or not known.
bool frames_find(uint64_t address, uint64_t pc, struct found_frame *found);

#endif
