// Failures on their way from the engine to the answer: those that are new are kept with the schedule that shows them; which of them
// end the search the supervisor may rule.
#ifndef WORKER_FINDINGS_H
#define WORKER_FINDINGS_H

#include "worker/searching.h"

void findings_remember(struct worker *w); // what is in the job is known
bool findings_tolerate(const struct bug *bug);
void findings_keep_threads(struct job *job); // who the actors are that schedules name

// What failed before the execution had to be given up did fail.
void findings_keep(struct worker *w);

// Keeps what failed in the execution at hand; whether that ends the search.
bool findings_end_search(struct worker *w);

#endif
