// The report for programs; its format is described in docs/json.md.
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdio.h>

#include "report/report.h"

enum { JSON_VERSION = 1 }; // raised when a field changes its meaning or goes away

// Writes one JSON object and a new line. 0, or -1 if it could not be written.
int report_json(FILE *out, const struct report_summary *summary);

#endif
