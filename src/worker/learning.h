// What an attempt learns about the program, for the next one (job/lessons.h).
#ifndef WORKER_LEARNING_H
#define WORKER_LEARNING_H

#include <stdbool.h>

#include "job/job.h"

// The engine begins with what earlier attempts have learnt.
void learning_apply(const struct job *job);

// Leaves what the engine has learnt to the next attempt.
void learning_keep(struct job *job);

// --races=explore: the words that race become visible, and the search begins anew. False if they were known.
bool learning_racy(struct job *job, const struct bug *bug);
void learning_distrust(struct job *job, enum distrust what);

// Whether there is a safer way to go back, so that it need not be the program's doing that an execution was another one when
// it was repeated.
bool learning_may_be_heddle(const struct job *job);

#endif
