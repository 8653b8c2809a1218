// How much of a search is done. From time to time, and where it ends before its end, a moment goes into an estimate of how
// many executions there are in all (explore/estimate.h).
//
// It is made when the search has taken a second, then two, four, and so on, in a hundredth of the time; and at the end
// of a search that was stopped, in a tenth. What fails in an execution that was run for an estimate is reported like
// any other failure.
#ifndef WORKER_OUTLOOK_H
#define WORKER_OUTLOOK_H

#include "explore/search.h"
#include "job/job.h"

// Whether it is time for an estimate. `passed`: seconds since the search began.
bool outlook_is_due(const struct search *search, const struct job *job, double passed);

// Makes the estimate and puts it into the job, between two executions. The executions that are run for it end with the first
// that fails, which is then the one at hand: a failure that was seen must be told.
void outlook_look(struct search *search, struct job *job, double passed);

// How many seconds of a search that may take so many are for the last estimate.
double outlook_reserve(double seconds);

// Whether the estimate says that the search takes much longer than job->task.hopeless_after.
bool outlook_is_hopeless(const struct job *job, double passed);

#endif
