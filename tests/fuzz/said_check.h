// What a report says of the failing runs of a small program, against what is true of it.
#ifndef FUZZ_SAID_CHECK_H
#define FUZZ_SAID_CHECK_H

#include <cjson/cJSON.h>

#include "fuzz/said_truth.h"

// How often something was said.
struct said_tally {
    uint32_t bugs, deadlocks, minimal, proven, always, none, open;
};

// A text that says what is wrong, to be freed, or null. The search covered everything, and the schedules are in the folder.
char *said_check(const struct said_truth *truth, const cJSON *report, const char *folder, struct said_tally *tally);

#endif
