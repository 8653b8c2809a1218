// Executions for the search for root causes (model/runs.h).
#ifndef WORKER_RUNS_H
#define WORKER_RUNS_H

#include <stdbool.h>

#include "job/job.h"

// Writes the execution that has just ended and been judged. Of very many only some are kept, evenly. `unexplained`: no order
// of the calls explains it.
void runs_write(const struct job *job, bool unexplained);

#endif
