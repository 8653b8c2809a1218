// How a program was searched, and why in that way: what --explain-search prints.
#ifndef REPORT_SEARCH_ACCOUNT_H
#define REPORT_SEARCH_ACCOUNT_H

#include <cjson/cJSON.h>

#include "base/buffer.h"
#include "report/report.h"

// One search of several: what it did, how it ended, and why. A sentence without a full stop.
void search_account_sentence(const struct report_phase *phase, struct buffer *out);

// A list `search` with an object for each.
void search_account_json(const struct report_summary *summary, cJSON *json);

#endif
