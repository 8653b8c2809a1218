// The report on transactions: the verdict; if it is no, what was read that cannot be, or the transactions that each come
// before the next, with the reads and writes that show it. The JSON is described in docs/history.md.
#ifndef REPORT_TRANSACTIONS_H
#define REPORT_TRANSACTIONS_H

#include <stdio.h>

#include "transactions/decide.h"

struct transactions_report {
    const char *file;
    const struct decision *decision;
    bool explain; // say what is wrong
    bool witness; // show the order
    double seconds;
    size_t memory; // bytes that the process had at most

    // For operations that were judged as transactions of one access each: the model as the user knows it; else null.
    const char *model;
};

void report_transactions_text(FILE *out, const struct transactions_report *report, bool colour);

// Writes one JSON object and a new line. 0, or -1 if it could not be written.
int report_transactions_json(FILE *out, const struct transactions_report *report);

#endif
