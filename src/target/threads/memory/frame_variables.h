// Where the variables of a frame lie and end (--memory-errors).
//
// Clang's AddressSanitizer sets the variables of a function apart and leaves a description of them in the frame; its checks are
// left out (build/cc_driver.c). What lies between two variables belongs to nobody, so an access to it has left one of them.
// A frame counts only while its function is in it: its entry is noted (frames.h), the description is where the compiler's
// output says (model/defined.h), and the function takes it away when it returns.
//
// gcc does not do that together with hooks. But its stack protector puts a guard above the arrays of a frame, which belongs to nobody
// either: so it is seen where the topmost array is left upwards, and the compiler left no room in between.
#ifndef TARGET_FRAME_VARIABLES_H
#define TARGET_FRAME_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

// An access to a stack. It has to be to one variable, if the frame says where its variables are. `does` is what a report says of it:
// "writes".
void frame_variables_look(struct thread *t, uint64_t address, uint64_t size, const char *does, const void *pc);

// Whether the address is one at which functions note for AddressSanitizer what belongs to nobody. Nobody reads that here.
bool frame_variables_is_note(uint64_t address);

#endif
