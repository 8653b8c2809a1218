// Runs one job in a worker: the program under test as a child process.
//
// A worker that dies is a finding: `bury` makes a bug of the schedule that stands in the job. If heddle's own code died
// (no thread of the program was running; model/death.h), the job is tried again in a safer way, and is *incomplete*
// after that.
#ifndef SUPERVISE_RUN_H
#define SUPERVISE_RUN_H

#include <stdbool.h>

#include "base/buffer.h"
#include "job/job.h"

// Rules on the bugs of job->answer.bug from job->ruled on, while the worker waits for it (job->task.ask): takes those out of
// the job that are tolerated.
struct judge {
    void (*rule)(void *context, struct job *job);
    void *context;
};

struct saved_search;
struct subject;

// Others who can explore parts of a search, on other machines (mpi/ranks.h). `explore` gives them what is left of the search, for as
// long as there is time and something to do; what they have not explored is in `search` afterwards.
struct fellows {
    void (*explore)(void *context, const struct subject *subject, const struct job *job, struct saved_search *search);
    // Lets them search states; false if nothing came of it.
    bool (*search_states)(void *context, const struct subject *subject, struct job *job);
    void *context;
};

// Somebody who may want a search to stop before its end; asked several times a second.
struct watch {
    bool (*stops)(void *context);
    void *context;
};

struct subject {
    const char *program;           // path of the executable
    char *const *arguments;        // argv[1] and so on, ends with null
    const char *preload;           // the runtime to put in front of a program that was not built by heddle; else null
    bool shows_output;             // what it prints goes to standard error, if nowhere else
    bool progress;                 // show a progress line on the terminal
    const struct judge *judge;     // for jobs that ask; else null
    const struct fellows *fellows; // who help with the search, or null
    const struct watch *watch;     // or null
    struct timeline *timeline;     // gets who explored what (report/timeline.h); else null
    struct keeper *keeper;         // keeps the search (supervise/keeper.h); else null
};

// A job with usual settings, in shared memory. Stops with one sentence if there is no memory.
struct job *job_new(void);
void job_free(struct job *job);
int job_fd(const struct job *job); // of the shared memory

// Runs the program until the job has an answer, again as often as it learns something that changes what is visible.
// What the program prints goes to `output` (a descriptor), or nowhere if that is -1. A worker that dies becomes a bug
// of the job. Returns 0, or 2 after one sentence if the program cannot be run at all.
int run_job(const struct subject *subject, struct job *job, int output);

// Makes later attempts start executions again in a safer way than the last one did: undo, then running again, then processes.
// False if there is none, or the user has chosen the way.
bool job_safer(struct job *job);

// What LD_PRELOAD has to be for `subject.preload`: the runtime, in front of what the user has there. The program does
// not get to see it (worker/start.c).
void run_preload(const char *runtime, struct buffer *list);

// Whether the user has pressed Ctrl-C during some run.
bool run_interrupted(void);

#endif
