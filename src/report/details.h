// What follows the table of a text report: what each kind of bug needs to be understood.
#ifndef REPORT_DETAILS_H
#define REPORT_DETAILS_H

#include <stdio.h>

#include "report/finding.h"
#include "report/style.h"

void details_print(struct finding *f, FILE *out, const struct style *style);

#endif
