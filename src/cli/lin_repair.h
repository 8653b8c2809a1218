// What `heddle lin` says about lines that would have to be atomic.
#ifndef CLI_LIN_REPAIR_H
#define CLI_LIN_REPAIR_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "report/style.h"
#include "supervise/repair.h"

void repair_text(FILE *out, const struct repair *repair, const struct style *style);
cJSON *repair_json(const struct repair *repair);

#endif
