// What a search that did not cover everything can say for itself: bounds on preemptions that were completed, and how
// probable it is that a bug would have been found.
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include <cjson/cJSON.h>

#include "base/buffer.h"
#include "report/report.h"

// The strategy of the only phase, STRATEGY_PORTFOLIO if there were several.
enum strategy_kind coverage_strategy(const struct report_summary *summary);

// Why the search was made by another strategy than the user's, or null.
const char *coverage_why_changed(const struct job *job);

// The whole line about one phase of several: "pct, 3000 executions in 5.1 s: …".
void coverage_phase(const struct report_phase *phase, struct buffer *out);

// Adds how much of a search was explored as fields `share` and `share_range`.
void coverage_share_json(const struct share *share, cJSON *json);

// One sentence without a full stop; false if there is nothing to say.
bool coverage_sentence(const struct report_phase *phase, struct buffer *out);

// Adds the same as fields `bounds` and `pct`, where they mean something.
void coverage_json(const struct report_phase *phase, cJSON *json);

// The probability with which one execution of pct finds a bug of the depth, and with which `runs` of them do, at least.
double coverage_of_one(const struct report_phase *phase);
double coverage_of(double one, uint64_t runs);

#endif
