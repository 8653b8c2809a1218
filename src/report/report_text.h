// A report for people: what happened, the run as a table, what to do with it.
#ifndef REPORT_REPORT_TEXT_H
#define REPORT_REPORT_TEXT_H

#include <stdio.h>

#include "report/report.h"
#include "report/style.h"

// Colours are the caller's choice (a terminal, and no NO_COLOR).
void report_text(FILE *out, const struct report_summary *summary, bool colour);

// The same in a given style, and a part of it.
void report_text_styled(FILE *out, const struct report_summary *summary, const struct style *style);
void report_text_assumptions(FILE *out, const char *const *assumptions, size_t count, const struct style *style);

#endif
