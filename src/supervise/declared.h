// Races on variables that are declared _Atomic: gcc reads such a variable plainly where it is an array index (`a[i]` with an
// _Atomic i), which the language calls an atomic load. The machine's code does the same either way, so this is no race of the
// program.
#ifndef SUPERVISE_DECLARED_H
#define SUPERVISE_DECLARED_H

#include "report/buffer.h"
#include "worker/job.h"

// Whether the race is on a global variable, or a part of one, that is declared _Atomic; appends its name.
bool declared_atomic(const char *program, const struct job *job, const struct bug *race, struct buffer *name);

#endif
