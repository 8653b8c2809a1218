// How executions are started again: in memory, or in processes of their own; and what the program may do outside its
// memory.
#ifndef WORKER_RESTART_H
#define WORKER_RESTART_H

#include "worker/job.h"

// Before anything is reserved.
void restart_prepare(const struct job *job);

// Once the engine is there. The job learns what was chosen, and which function that heddle does not know was in the way.
void restart_choose(struct job *job);

// The same descriptor with a number that the program does not get to, so that those it gets are the same as otherwise.
int restart_out_of_the_way(int fd);

#endif
