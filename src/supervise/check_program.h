// One check of one program: the search, the explanation of what it found, and the verdict.
#ifndef SUPERVISE_CHECK_PROGRAM_H
#define SUPERVISE_CHECK_PROGRAM_H

#include "report/report.h"
#include "supervise/run.h"
#include "supervise/schedule.h"
#include "supervise/tolerance.h"

struct check {
    struct subject subject;
    struct job *job;               // the task; its answer when done
    const char *name;              // how the user calls the program
    const char *schedule_path;     // where to keep the first failing schedule; null: a name made from the program's
    const char *stem;              // what the names of schedules begin with; null: the name without its ending
    const char *test;              // which of the program's tests, for names; null: none in particular
    struct tolerance *tolerance;   // or null
    const struct fellows *fellows; // who help with the search, or null
    struct timeline *timeline;     // gets who explored what, or null
    struct keeper *keeper;         // keeps the search (keeper.h), or null
    struct schedule origin;        // how to get at the program again: goes into the schedules
    double explain_seconds;
    bool trial;                                    // of a changed program: keeps no schedules and proposes nothing
    bool stacks;                                   // call stacks are shown whole
    bool explain_search;                           // the report says what was searched, in which order, and why
    bool strategy_given, depth_given, steps_given; // by --strategy, --depth, --max-steps
};

// What a check came to. The summary is good until outcome_free, and as long as the check's job.
struct outcome {
    struct report_summary summary;
    struct outcome_room *room;
};

// Runs it and keeps the schedules. Returns the exit status: 0 verified or tolerated, 1 bug, 3 incomplete, 2 if it could not
// be run, after one sentence. The outcome must be freed in any case.
int check_run(struct check *check, struct outcome *outcome);
void outcome_free(struct outcome *outcome);

#endif
