// A failing run under gdb: on real threads, one at a time in the recorded order, stopped at the failure.
//
// The recorded replay comes first, to see whether the run still fails and with which bug. Then gdb starts with a script
// (gdb_commands.h) and the same job, marked `real`. The program finds the job by a path (/proc/PID/fd/N, the
// supervisor's memory file) instead of a descriptor and maps it privately, so that each `run` finds it untouched.
#ifndef SUPERVISE_GDB_H
#define SUPERVISE_GDB_H

#include <stdbool.h>

#include "supervise/run.h"

// Whether there is a gdb to start.
bool gdb_is_there(void);

// Makes a run under gdb (`job->task.real`) of a replay that has just shown `bug`; `trace` is the path of its recorded run.
void gdb_expect(struct job *job, const struct job_bug *bug, const char *trace);

// Starts gdb on the program and returns when it has ended; the job is run as often as the user wants. `arguments` (ends
// with null) are given to gdb after heddle's own. Returns 0, or 2 after one sentence if gdb cannot be started.
int gdb_run(const struct subject *subject, struct job *job, char *const *arguments);

#endif
