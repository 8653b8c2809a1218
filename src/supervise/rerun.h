// What has become of a failing run: a schedule run again, perhaps with a program that was changed since.
//
// A schedule keeps the run in names as well (report/outline.h, globals.h): what each step did, and which failure it is.
// The run that is seen now gets the same outline, and the two are compared. That is how a program that was built anew
// is said to fail still or differently, to pass, or to diverge at a certain event. Racing words in the heap and on
// stacks are named by address; `replay` says so if the program was built anew.
#ifndef SUPERVISE_RERUN_H
#define SUPERVISE_RERUN_H

#include "report/report.h"
#include "supervise/run.h"
#include "supervise/schedule.h"

enum rerun_verdict {
    RERUN_STILL_FAILS,       // with the same failure
    RERUN_FAILS_DIFFERENTLY, // with another one
    RERUN_PASSES,            // it follows the schedule and does not fail
    RERUN_DIVERGES           // it does something else than the schedule says, and does not fail: nothing can be said
};

struct rerun {
    enum rerun_verdict verdict;
    bool rebuilt; // the program's code is not the one the schedule was made with
    bool departs; // the run is not the schedule's, from `event` on
    uint32_t event;
    struct job_bug bug;  // if it fails, …
    uint32_t which;      // … and its number in the job
    struct buffer words; // one sentence about it
};

// The schedule as a job; one word of the program after the other that cannot be found in it is named on standard error.
struct job *rerun_job(const struct schedule *s, const char *program);

// Judges a job that has run, with its recorded run at `trace`.
void rerun_judge(const struct schedule *s, const char *program, const struct job *job, const char *trace,
                 struct rerun *result);

// Exit status: 1 if it fails, 0 if it passes, 3 if it diverges.
int rerun_status(enum rerun_verdict verdict);

#endif
