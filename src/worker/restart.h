// How executions are started again: in memory, or in processes of their own; and what the program may do outside its
// memory.
//
// The worker gives a search up when it learns something that changes what is visible or how to go back (JOB_AGAIN). The
// supervisor then starts the same job in a fresh process, with what was learnt (struct lessons in job.h): that the
// program does something outside its memory, that replay would repeat too much, that it calls try functions, that
// accesses of different sizes overlap, that a word races under `--races explore`, that more threads use a barrier than
// it lets through, that it called a function whose changes the log does not have, that undo missed a write, that an
// execution was another one when it was repeated, and so on.
#ifndef WORKER_RESTART_H
#define WORKER_RESTART_H

#include "job/job.h"

// Before anything is reserved.
void restart_prepare(const struct job *job);

// Once the engine is there. The job learns what was chosen, and which function that heddle does not know was in the way.
void restart_choose(struct job *job);

// The same descriptor with a number that the program does not get to, so that those it gets are the same as otherwise.
int restart_out_of_the_way(int fd);

#endif
