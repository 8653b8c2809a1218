// A run under heddle's control (model/trace.h), written as a recording: so `heddle trace` and `heddle predict` read it like a native
// run that was recorded.
//
// Everything happened one after the other there, and stands in that order. What a trace does not tell is filled in so that the
// recording never allows more than the run did: atomic operations order like sequentially consistent ones, a semaphore began
// with no more than it needed, a barrier opens for as many threads as came to it before the first one left.
#ifndef TRACE_RECORDING_CONTROLLED_H
#define TRACE_RECORDING_CONTROLLED_H

#include <stdbool.h>

#include "trace/recording_write.h"

// Reads the trace and writes the file; false, and one sentence in `wrong` (to be freed), if one of them cannot be done.
bool recording_of_trace(const char *trace, const struct recording_origin *origin, const char *path, char **wrong);

#endif
