// What `heddle lin` says about lines that would have to be atomic.
#ifndef SUPERVISE_REPAIR_REPORT_H
#define SUPERVISE_REPAIR_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "report/style.h"
#include "supervise/repair.h"

void repair_text(FILE *out, const struct repair *repair, const struct style *style);
cJSON *repair_json(const struct repair *repair);

#endif
