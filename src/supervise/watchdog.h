// Whether a worker still gets on. It keeps the time and sees threads that run for ever by itself; one whose memory the program
// has overwritten, or that waits in a system call heddle does not see, may do neither.
//
// A worker is ended after eight seconds without any processor time, or when processor time goes by and neither events
// nor accesses are counted (`beats` in job.h). The verdict is *incomplete*.
#ifndef SUPERVISE_WATCHDOG_H
#define SUPERVISE_WATCHDOG_H

#include <stdint.h>
#include <sys/types.h>

#include "job/job.h"

struct watchdog {
    uint64_t seen;   // of the job, when it last changed
    uint64_t used;   // processor time of the worker then, in milliseconds
    uint64_t latest; // the same at the last look
    int idle_ms;     // without any processor time
};

// The sentence about a worker that was busy without taking a step.
extern const char *const watchdog_lost;

// To be asked again and again, with how long that was ago. Null, or one sentence: it will never end.
const char *watchdog_look(struct watchdog *w, pid_t worker, const struct job *job, int passed_ms);

#endif
