// A recording on disk, taken into memory: names for addresses, blocks for memory that comes and goes, and only what more than one
// thread has to do with.
#ifndef TRACE_RECORDING_READ_H
#define TRACE_RECORDING_READ_H

#include "trace/recording.h"

// A finished recording, or null: then `wrong` (to be freed) says in one sentence why. `doubt` and `cut` of the recording say what a
// user should know. With `everything`, memory that only one thread has touched is kept as well.
struct recording *recording_read(const char *path, bool everything, char **wrong);

// Whether the file begins as such a recording does.
bool recording_is_one(const char *path);

#endif
