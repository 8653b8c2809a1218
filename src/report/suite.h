// Several tests as text, in the manner of a test runner: a line each as soon as it is done, the reports of those that are
// not verified below, and totals.
#ifndef REPORT_SUITE_H
#define REPORT_SUITE_H

#include <stdio.h>

#include "report/report.h"

struct suite_text;

// Colours are the caller's choice.
struct suite_text *suite_text_new(FILE *out, bool colour);

// The tests of this file follow; their names take up to `width` columns.
void suite_text_file(struct suite_text *s, const char *file, size_t width);
void suite_text_add(struct suite_text *s, const struct report_summary *summary);

// Reports and totals; frees it.
void suite_text_end(struct suite_text *s, const struct report_end *end);

// What a user should know about baseline and suppressions that were not needed; nothing if all were.
void suite_text_unneeded(FILE *out, const struct report_end *end);

#endif
