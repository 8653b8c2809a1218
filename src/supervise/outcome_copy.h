// An outcome that another process reports than the one that came to it.
#ifndef SUPERVISE_OUTCOME_COPY_H
#define SUPERVISE_OUTCOME_COPY_H

#include "report/report.h"
#include "supervise/shelf.h"

// Copies all that the summary leads to, but for files. Of the job there are task, lessons, answer and threads; no report reads more.
const struct report_summary *outcome_copy(struct shelf *shelf, const struct report_summary *summary);

#endif
