// The verdict on a program once its searches are over and what they found is examined: one word, and the sentences that go with it.
// *Verified* is what is left when nothing else can be said: no bug, no reason why something was not covered.
#ifndef SUPERVISE_VERDICT_H
#define SUPERVISE_VERDICT_H

#include "supervise/outcome.h"

// Fills in the verdict, why not everything was covered, why executions were started again as they were, and what is assumed. The
// texts belong to `o`.
void verdict_give(struct outcome_room *o, struct report_summary *summary);

// A failure that did not happen again in a fresh process, or null.
const struct examined *verdict_never_happened(const struct outcome_room *o);

#endif
