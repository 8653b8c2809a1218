// What `heddle lin` says in the end: the client that fails, or what was verified, with counts and assumptions.
#ifndef SUPERVISE_LIN_REPORT_H
#define SUPERVISE_LIN_REPORT_H

#include <stdio.h>

#include "supervise/lin_object.h"

// `status` is what lin_run returned.
void lin_report_text(FILE *out, const struct lin *lin, int status, bool colour);

// 0, or -1 with errno set.
int lin_report_json(FILE *out, const struct lin *lin, int status);

#endif
