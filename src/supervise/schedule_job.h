// What a schedule takes over from the job whose run it keeps.
#ifndef SUPERVISE_SCHEDULE_JOB_H
#define SUPERVISE_SCHEDULE_JOB_H

#include "supervise/schedule.h"

// Surroundings, rules, threads, and the words that are visible by name: the first `racy` of those that race. Paths stay the job's; the
// words are to be dropped.
void schedule_take_job(struct schedule *s, const struct job *job, const char *program, uint32_t racy);
void schedule_drop_words(struct schedule *s);

#endif
