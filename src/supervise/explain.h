// From a failing schedule to the best explanation of it: the fewest preemptions, and the step that decided.
//
// The decisive step: for a prefix of the failing run, a few hundred random continuations and then a search with
// `optimal` below it, both of which stop at the first execution that comes to its end *without this failure*. Bisection
// over the length of the prefix gives the first step after which every continuation fails. A prefix is *avoidable* only
// if such an execution was seen, and *certain* only if all were covered; executions that were cut or blocked show
// neither. A thread that fails stops and the others run on, as they could before it fails: so an execution in which
// another thread fails or ends the process is one without this failure.
#ifndef SUPERVISE_EXPLAIN_H
#define SUPERVISE_EXPLAIN_H

#include "report/report.h"
#include "supervise/run.h"

struct explanation {
    struct job_bug bug; // with its schedule in `steps`
    struct step *steps; // malloc'ed
    uint32_t preemptions;
    bool minimal;
    enum decisive decisive;
    uint32_t decisive_event;
    struct job_bug *failures; // all of the recorded run, malloc'ed, in their order; `after` goes by these numbers
    uint32_t failure_count;
    uint32_t failure; // which of them is the bug
};

// Searches with growing bounds on preemptions for a run that fails in the same way, then for the first step after which
// every continuation does; all within `seconds`. 0: only counts the preemptions of the run; less: nothing. `found` is the job
// that found bug number `which`.
void explain_bug(const struct subject *subject, const struct job *found, uint32_t which, double seconds,
                 struct explanation *result);

// Replays the explained run and records it into the file at `trace`; its output goes to descriptor `output`. The bug of
// the result is the one seen then, and its failures are those of this run. Returns whether it failed in the same way.
bool explain_record(const struct subject *subject, const struct job *found, struct explanation *result,
                    const char *trace, int output);

#endif
