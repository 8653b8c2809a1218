// Counting preemptions. Each turn of a thread is a step then (`turns` in engine.h), so that schedules have more steps than
// they need elsewhere: minor ones (`op_is_minor`).
#ifndef WORKER_TURNS_H
#define WORKER_TURNS_H

#include <stdbool.h>

#include "worker/job.h"

// Whether each turn is a step in this job.
bool turns_count(const struct job *job);

// Whether letting go of a lock is a step also where turns do not count.
bool turns_unlocks(const struct job *job);

// Takes the minor steps out of those of the execution at hand; returns how many are left.
uint32_t turns_drop_minor(const struct job *job, struct step *steps, uint32_t count);

// Counts preemptions from here on, if the job is about one execution; and how many there were up to the wanted failure, or
// in all.
void turns_begin_counting(const struct job *job);
uint32_t turns_preemptions(const struct job *job);

#endif
