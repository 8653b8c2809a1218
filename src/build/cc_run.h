// Running the compiler: directly, never through a shell, with what it leaves behind removed whatever happens.
#ifndef BUILD_CC_RUN_H
#define BUILD_CC_RUN_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/strings.h"

// Becomes the program; returns 2, after one sentence, only if that fails.
int run_instead(const struct strings *command);

// Runs the program to its end and returns its exit status, 128 + N if signal N ended it, or 2, after one sentence, if it
// cannot be started. Signals that ask this process to end reach the program, so that the caller can clean up after it.
int run_wait(const struct strings *command);

// The same, with what the program says on standard error in `said`, by way of a file with this name.
int run_wait_told(const struct strings *command, const char *path, struct buffer *said);

// Whether such a status says that somebody asked the program to end.
bool run_was_interrupted(int status);

// A new directory for temporary files; null, after one sentence, if there can be none. The caller frees the name.
char *run_scratch(void);

// Removes such a directory with all that is in it.
void run_remove(const char *directory);

#endif
