// The one failure that a job is about, if it is about one: see `wanted` in job.h.
#ifndef WORKER_WANTED_H
#define WORKER_WANTED_H

#include <stdbool.h>

#include "job/job.h"

// Whether the job is about this failure; also if it is about any.
bool wanted_is(const struct job *job, const struct bug *bug);

// Whether the execution that has just come to its end did so without the wanted failure, or could have.
bool wanted_escapes(const struct job *job);

#endif
