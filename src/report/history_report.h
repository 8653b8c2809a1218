// The report on a history: the verdict, and if it is no, the operations that cannot be put in order, with a column per
// process. The JSON is described in docs/history.md.
#ifndef REPORT_HISTORY_REPORT_H
#define REPORT_HISTORY_REPORT_H

#include <stdio.h>

#include "history/input.h"
#include "history/reason.h"

struct history_report {
    const char *file;
    const struct input *input;
    const struct judged *judged;
    const struct judged_part *wrong; // the part that is explained, or null
    const struct reason *explained;
    bool witness; // show the orders
    double seconds;
    size_t memory; // bytes used at most
};

void report_history_text(FILE *out, const struct history_report *report, bool colour);

// Writes one JSON object and a new line. 0, or -1 if it could not be written.
int report_history_json(FILE *out, const struct history_report *report);

#endif
