// Races on variables that are declared _Atomic: gcc reads such a variable plainly where it is an array index (`a[i]` with an
// _Atomic i), which the language calls an atomic load. The machine's code does the same either way, so this is no race of the
// program.
#ifndef SUPERVISE_DECLARED_H
#define SUPERVISE_DECLARED_H

#include "base/buffer.h"
#include "job/job.h"

enum { DECLARED_NAME = 64 };

// Whether every place at which the job saw such words read plainly is one where an index stands in the source: the read of a
// variable past its type is a race. `names` are the variables', up to an empty one.
bool declared_as_indices(const char *program, const struct job *job, char names[][DECLARED_NAME]);

// Whether the race is on a global variable, or a part of one, that is declared _Atomic; appends its name.
bool declared_atomic(const char *program, const struct job *job, const struct bug *race, struct buffer *name);

#endif
