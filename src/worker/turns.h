// Counting preemptions. Each turn of a thread is a step then (`turns` in engine.h), so that schedules have more steps than
// they need elsewhere: minor ones (`op_is_minor`).
//
// Elsewhere a new thread runs at once up to its first operation, a thread that waits for another's end goes on together
// with that end, and letting go of a lock is part of the step before. All of that commutes, so no outcome is lost. But
// it changes the *number* of preemptions. A thread that is preempted while it holds a lock makes the next one wait, and
// the switch back is free; `main` is preempted if the first thread runs before `main` goes on. So where preemptions are
// counted (`bounded`, and `dfs` with a bound) nothing happens in a thread outside its own turn: it begins (OP_BEGIN),
// joins, lets go and ends in steps of its own. Creating a thread needs no step, since its creator is running. Beginning
// to wait and letting go of the mutex are two steps, since another thread may signal in between and find the mutex
// taken.
//
// Leaving a thread that has failed costs a preemption too: it could have gone on to end the process. A thread that
// spins counts as waiting. `refined` (explore/follow_schedule.c) adds the minor steps to a schedule that was found elsewhere,
// each where it was part of another step.
#ifndef WORKER_TURNS_H
#define WORKER_TURNS_H

#include <stdbool.h>

#include "job/job.h"

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
