// Why a search ends before it has covered everything: it learnt something, met what it cannot follow, or has no time left. Who asks
// says in the answer why; the first reason counts.
#ifndef WORKER_HALT_H
#define WORKER_HALT_H

#include "worker/searching.h"

void halt_search(struct worker *w, enum job_end end);

// Whether the search has to be given up for what happened in the execution at hand. A lesson comes before all else: once something
// new is visible, schedules from before no longer fit.
bool halt_cannot_go_on(struct worker *w);

// Whether time is over, the user wants an end, or the search would not come to one in time.
bool halt_out_of_time(struct worker *w);

// Whether the same program could be searched by states.
bool halt_could_match_states(void);

// Asked at every tick, wherever the program is: whether an execution that does not end by itself has to end now.
bool halt_is_late(void);

#endif
