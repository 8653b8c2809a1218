// Jobs about a failing run that is known: the same program, options and lessons, with its steps given.
//
// Every failure is run again in a fresh process, from the beginning of `main`, before it is called a bug. If it does
// not fail there, heddle was at fault: the search begins anew in the next safer way (anew.h), and what is left after
// that is *incomplete*, as heddle's own fault. If the run fails in another way, that is the bug.
#ifndef SUPERVISE_AGAIN_H
#define SUPERVISE_AGAIN_H

#include "supervise/explain.h"

// How long a run is given that is only repeated. It was found in a search that ended; but repeated it may take longer, and
// where a thread loops for ever nobody knows how long it was.
enum { RUN_SECONDS = 10 };

// A job about the same program as `found`, under the same options and with the same knowledge of it.
struct job *again_job(const struct job *found, const struct explanation *e);

// The first steps of the run, as many as that, are given to the job.
void again_prefix(struct job *job, const struct step *steps, uint32_t count);

// How many steps of a run there are up to the failure: what comes after it can be as usual. What fails in an operation does so
// before that is an event; so the step after it counts as well, if the thread that failed takes it.
uint32_t again_steps_to(const struct job_bug *bug, const struct step *steps);

// The job is about this failure alone.
void again_want(struct job *job, const struct explanation *e);

// Takes over bug number `which` of a job, with its run.
void again_take(struct explanation *e, const struct job *job, uint32_t which);

// Takes over the run of a job if it fails in the same way.
bool again_take_same(struct job *found, struct explanation *e, const struct job *job);

// How many preemptions the run has up to its failure. False if the failure did not come again.
bool again_count(const struct subject *subject, const struct job *found, const struct explanation *e,
                 uint32_t *preemptions);

// Runs it again, in a fresh process and from the beginning of main, where nothing has ever been taken back: whether it fails there.
// If it fails in another way, which the search did not tell of, that is the bug from then on.
bool again_happens(const struct subject *subject, const struct job *found, struct explanation *e);

#endif
