// One check of one program: the search, the explanation of what it found, and the verdict.
#ifndef SUPERVISE_CHECK_H
#define SUPERVISE_CHECK_H

#include "supervise/run.h"
#include "supervise/schedule.h"

struct check {
    struct subject subject;
    struct job *job;              // the task; its answer when done
    const char *name;             // how the user calls the program
    const char *schedule_path;    // where to keep the first failing schedule; null: a name made from the program's
    const char *json_path;        // or null
    struct schedule origin;       // how to get at the program again: goes into the schedules
    double explain_seconds;
    bool colour;
    bool quiet;                   // no report on standard output
};

// Runs it and prints the report. Returns the exit status: 0 verified, 1 bug, 3 incomplete, 2 misuse.
int check_run(struct check *check);

#endif
