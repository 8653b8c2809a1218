// The private working directory of programs that change files: a copy of the one they were to run in, put back to its
// contents before each run, gone at the end.
//
// The copy lies below a temporary directory at the same path as the original, with links to what stands beside each
// folder on the way, so that `../x` leads where it did. base/tree.c remembers inode and time of change of all that is
// in it, and puts back what differs: the origin of the processes does that between executions, the supervisor between
// workers.
#ifndef SUPERVISE_WORKPLACE_H
#define SUPERVISE_WORKPLACE_H

#include "job/job.h"

// Before a worker is started: makes the directory if the job needs one, puts it back, and tells the job where it is. Null,
// or one sentence saying why there can be none.
const char *workplace_prepare(struct job *job);

// After the worker has ended.
void workplace_leave(const struct job *job);

// In the worker's process: goes to where the program is to run.
void workplace_enter(const struct job *job);

#endif
