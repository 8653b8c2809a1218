// The private working directory of programs that change files: a copy of the one they were to run in, put back to its
// contents before each run, gone at the end.
#ifndef SUPERVISE_WORKPLACE_H
#define SUPERVISE_WORKPLACE_H

#include "worker/job.h"

// Before a worker is started: makes the directory if the job needs one, puts it back, and tells the job where it is. Null,
// or one sentence saying why there can be none.
const char *workplace_prepare(struct job *job);

// After the worker has ended.
void workplace_leave(const struct job *job);

// In the worker's process: goes to where the program is to run.
void workplace_enter(const struct job *job);

#endif
