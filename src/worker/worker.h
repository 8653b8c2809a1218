// Runs one job inside the program under test: the target, a strategy and the properties put together.
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

#include "job/job.h"

struct ledger;

// Does what the job says; `main` and its arguments are the program's. The answer is in the job. With others if there is a ledger.
void worker_run(struct job *job, struct ledger *ledger, int (*program)(int, char **, char **), int argc, char **argv,
                char **envp);

#endif
