// Workflow commands of GitHub Actions ("::error file=…,line=…::…"), which show a bug beside the line of the source.
#ifndef REPORT_ANNOTATIONS_H
#define REPORT_ANNOTATIONS_H

#include <stdio.h>

#include "report/report.h"

// A line for each bug (error), what is not verified (warning, or error if it could not be checked) and each tolerated bug
// (notice).
void report_annotations(FILE *out, const struct report_summary *summary);

#endif
