// One search, or several after one another: what a check runs before it reports.
//
// With a bound on time and no strategy named, a program that is too large for `optimal` is sampled and searched with few
// preemptions in the time that is left (docs/internals.md says how it is divided).
#ifndef SUPERVISE_PHASES_H
#define SUPERVISE_PHASES_H

#include "report/report.h"
#include "supervise/run.h"

enum { MOST_PHASES = 8 };

struct phases {
    struct report_phase phase[MOST_PHASES];
    size_t count;
    uint32_t dropped; // failures of all of them for which there was no room
};

// Runs the job and, if its strategy is "portfolio", what follows from it. Its answer is then that of the last phase, with
// the counts, the time and the bugs of all. Returns what run_job does.
int phases_run(const struct subject *subject, struct job *job, struct phases *phases);

#endif
