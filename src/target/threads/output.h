// What the program under test prints. Implemented by the target; called by the interposed stdio.
#ifndef TARGET_OUTPUT_H
#define TARGET_OUTPUT_H

#include <stddef.h>

// Output of the running thread to descriptor `fd` (1 or 2). The text must be taken before another thread is let run: it
// may stand in a buffer that all threads share.
void output_write(int fd, const char *text, size_t size);

// To be called before something is printed to another descriptor: comes back only if that is the kernel's.
void descriptor_print(int fd);

#endif
