// Is this file something heddle can run?
//
// A program that was not built by heddle runs with the runtime in LD_PRELOAD, which worker/start.c takes out of the
// environment again. Its calls arrive as usual; no hook does. What follows from that:
//
// - Undo would miss writes, so going back is by the image, which has all writable segments, and by running `main`
//   again; or by a process for each execution, where the program uses files.
// - There may be atomics that order accesses, so races are not judged at all: those that the calls alone show may be
//   none.
// - A spinning thread may have changed memory that nobody saw, and waits for something nobody knows (engine/spin.c). It
//   is never a livelock. `optimal` would order one more round in front of each step for ever, so `dpor` takes its
//   place.
// - What cannot be seen is never verified: the best verdict is *incomplete*.
// - The program may be position-independent. Nothing needs its addresses to be the same in another process, except the
//   lesson `merged`, which keeps them as they are in the file, and whoever puts names to addresses of a job, which has
//   the `base`.
// - Call stacks in the recorded run come from unwind tables (memory/unwind.h).
#ifndef SUPERVISE_SUBJECT_H
#define SUPERVISE_SUBJECT_H

#include <stdbool.h>

// Null if the executable at `path` was built by heddle cc, or if it was not but can be run with heddle's runtime in front of
// the C library (`plain`): then heddle sees its calls and nothing else. Otherwise a sentence about what it is instead.
const char *subject_trouble(const char *path, bool *plain);

#endif
