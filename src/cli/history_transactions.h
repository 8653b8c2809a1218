// heddle history for models of transactions: what src/cli/history.c has read of the command line, and what it does then.
#ifndef CLI_HISTORY_TRANSACTIONS_H
#define CLI_HISTORY_TRANSACTIONS_H

#include "transactions/transaction_input.h"

struct level;

struct transactions_request {
    enum transaction_model model;
    const struct level *level;
    const char *file, *json;
    enum input_format format;
    bool witness, explain;
    double time; // seconds; 0: any number
    uint64_t most_tried;
    const char *said_model; // for operations judged as transactions: what the user calls the model; else null
};

// Whether a model of this name is one of transactions.
bool transactions_model(const char *name, enum transaction_model *model);

// Judges the text of the file, which is changed. Returns the exit status.
int transactions_judge(const struct transactions_request *request, char *text, size_t length);

// Judges what was read already. Returns the exit status; -1 if nobody knows and `or_else` is set, without a word.
int transactions_decide(const struct transactions_request *request, const struct transactions *from, bool or_else);

// The names of the levels, in one sentence.
const char *transactions_levels(void);

#endif
