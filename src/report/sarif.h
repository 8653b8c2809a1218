// SARIF 2.1.0 (OASIS), for code scanning: one run, a rule per kind of bug, a result per bug with the failing execution as a
// code flow that has a thread flow per thread.
#ifndef REPORT_SARIF_H
#define REPORT_SARIF_H

#include <stdio.h>

#include "report/report.h"

// Each summary is turned into results when it is added: nothing it points to is needed afterwards.
struct sarif;
struct sarif *sarif_new(void);
void sarif_add(struct sarif *sarif, const struct report_summary *summary);

// Writes and frees it. 0, or -1 if it could not be written.
int sarif_write(struct sarif *sarif, FILE *out, const struct report_end *end);

#endif
