// Prints a recording in the form that trace/recording_text.h reads, one record a line.
#ifndef TRACE_RECORDING_PRINT_H
#define TRACE_RECORDING_PRINT_H

#include <stdio.h>

#include "trace/recording.h"

void recording_print(FILE *out, const struct recording *r);

#endif
