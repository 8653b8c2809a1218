// Fewer preemptions: from a failing run to one that fails in the same way and is switched as rarely as can be.
//
// Preemptions are counted where each turn of a thread is a step (worker/turns.h). What is shown at the end is without the minor
// steps again, unless the run needs one of them in a place of its own: a lock that is let go late, for instance.
//
// First the preemptions of the run are counted, then `bounded` searches for one with fewer that fails in the same way.
// The first that is found has the fewest. Where none is found in a third of the time, the run itself is simplified
// (simplify.h), and with what is left of the time the search is tried again. `minimal` is said only if every smaller
// number of preemptions was completed. Where executions were cut, threads go round for ever, and a run with fewer
// preemptions may be a thousand rounds longer. There it may have no more steps than the one that was found, and for one
// of more than a thousand steps a shorter one is looked for first (`search_shorter`).
//
// Threads that the run can do without are left out: a run without their steps fails in the same way. A deadlock shows
// only when everybody has ended or waits; what counts there is the last event that it needs (`bug.last`): the one that
// closes the circle, or the last on an object of those that wait.
#ifndef SUPERVISE_SHRINK_H
#define SUPERVISE_SHRINK_H

#include "supervise/explain.h"

// Within `seconds`; leaves the number of preemptions and whether it is the least in `e`.
void shrink_run(const struct subject *subject, struct job *found, struct explanation *e, double seconds);

// A thread whose steps the failure does not need has them after it from then on, where nobody has to read them.
void shrink_leave_out(const struct subject *subject, struct job *found, struct explanation *e, double seconds);

// A fault or another outcome that the failure does not need gives way to the usual one.
void shrink_outcomes(const struct subject *subject, struct job *found, struct explanation *e, double seconds);

#endif
