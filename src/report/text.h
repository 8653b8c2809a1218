// A report for people: what happened, the run as a table, what to do with it.
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdio.h>

#include "report/report.h"

// Colours are the caller's choice (a terminal, and no NO_COLOR).
void report_text(FILE *out, const struct report_summary *summary, bool colour);

#endif
