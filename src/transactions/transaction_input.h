// Transactions from files: events in the manner of Jepsen and Elle (EDN or JSON), or whole transactions (JSON or EDN).
// docs/history.md has the fields.
#ifndef TRANSACTIONS_TRANSACTION_INPUT_H
#define TRANSACTIONS_TRANSACTION_INPUT_H

#include "history/input.h"
#include "transactions/transaction.h"

// Reads the text, which is changed and has to live as long as this takes. False: error and line.
bool transactions_read(struct transactions *all, enum transaction_model model, char *text, size_t length,
                       enum input_format format);

#endif
