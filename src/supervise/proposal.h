// Directives that would mend the data races of an OpenMP program, proposed as a patch that was checked.
//
// The readings of repair/omp_directives.h say what could mend a race. The source is changed like that, built and explored with the
// same task, as long as new races show and there is something to try. Only what ends in a program that has no bug is proposed.
#ifndef SUPERVISE_PROPOSAL_H
#define SUPERVISE_PROPOSAL_H

#include "supervise/outcome.h"

// `found` is the outcome of a check that `task` described. Takes at most the time for explanations. False: nothing is proposed.
bool proposal_find(struct report_proposal *proposal, struct check *check, const struct task *task,
                   const struct report_summary *found);
void proposal_free(struct report_proposal *proposal);

#endif
