// Fewer preemptions: from a failing run to one that fails in the same way and is switched as rarely as can be.
//
// Preemptions are counted where each turn of a thread is a step (worker/turns.h). What is shown at the end is without the minor
// steps again, unless the run needs one of them in a place of its own: a lock that is let go late, for instance.
#ifndef SUPERVISE_SHRINK_H
#define SUPERVISE_SHRINK_H

#include "supervise/explain.h"

// Within `seconds`; leaves the number of preemptions and whether it is the least in `e`.
void shrink_run(const struct subject *subject, struct job *found, struct explanation *e, double seconds);

// A thread whose steps the failure does not need has them after it from then on, where nobody has to read them.
void shrink_leave_out(const struct subject *subject, struct job *found, struct explanation *e, double seconds);

#endif
