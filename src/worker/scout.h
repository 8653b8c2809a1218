// Executions that look around: a few before the search begins, and samples in between if it takes long.
//
// A search in order comes late to what needs a change early in a run, and may never come to it. So before it begins, fuzzing
// (explore/fuzz.c) looks for reads that see something new, until there is nothing more to be expected. Later the search is
// interrupted from time to time for samples (explore/sample.c), which go on where they stopped: for a tenth of the time while
// there is hope that the search ends, for nearly all of it once an estimate says that it will not, and for four fifths where none could
// be made: that takes little time unless the search is large.
//
// When `optimal` was given up and a search by states comes to its first few thousand events, fuzzing looks around once more, for thousands of
// executions (task.scouts_long). By then the program is known not to be small, and what fuzzing can find it finds mostly
// in those: of SafeStack's bug, which needs five preemptions, half of all seeds find an execution among the first 7,000.
//
// What these executions show counts like anything else that is shown; whether everything was covered does not depend on them.
#ifndef WORKER_SCOUT_H
#define WORKER_SCOUT_H

#include "explore/search.h"
#include "job/job.h"

struct worker;

struct scout {
    bool wanted;
    bool looks_long;        // once the search turns out not to be small
    struct counts first;    // executions before the search, and of the long look
    struct search samples;  // those in between, which go on where they stopped
    double sampled_seconds; // that these took
    double aside_seconds;   // that everything in between took …
    double aside_work;      // … of processor time
    uint64_t most_events;   // of what is being run: then it ends, …
    double until;           // … or at this time
    uint64_t due_events;    // of the search: then samples are due, …
    double due_seconds;     // … or when it has taken so long
    uint64_t tick;          // at which the clock was last looked at
};

// Processor seconds that the search has taken, without what was run in between.
double scout_own_work(const struct worker *w);

// Before the search, if the job is one to look around for. The target is at the beginning then, or the answer says why there is
// to be no search.
void scout_first(struct worker *w);

// Whether samples are due, between two executions of the search.
bool scout_is_due(void *worker);

// Takes some. The target is in another state then. False if the search has to end.
bool scout_again(void *worker);

#endif
