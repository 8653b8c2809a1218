// The names of all code and variables that occur in a recording, as long as the program is there.
#ifndef TRACE_RECORDING_COLLECT_H
#define TRACE_RECORDING_COLLECT_H

#include "base/buffer.h"

// Appends them as recording_names_give does; nothing if the file cannot be read.
void recording_collect_names(const char *path, struct buffer *lines);

#endif
