// Transactions judged by their definitions: every order is tried, one transaction after the other, on lists or registers that
// are arrays. Slow, and simple enough to be believed. It shares nothing with what it checks but the names of levels.
#ifndef FUZZ_TRANSACTIONS_NAIVE_H
#define FUZZ_TRANSACTIONS_NAIVE_H

#include <stdbool.h>

#include "transactions/level.h"

enum { NAIVE_TXNS = 8, NAIVE_ACCESSES = 4, NAIVE_KEYS = 3, NAIVE_LENGTH = NAIVE_TXNS * NAIVE_ACCESSES + 4 };

enum { NAIVE_NIL = 0 }; // what a register holds at first

struct naive_access {
    bool write;
    int key, value; // of a write, or of a register that was read
    int list[NAIVE_LENGTH], length;
};

enum naive_outcome { NAIVE_COMMITTED, NAIVE_ABORTED, NAIVE_UNKNOWN };

struct naive_txn {
    int process, called, returned; // returned: meaningless if the outcome is unknown
    enum naive_outcome outcome;
    struct naive_access access[NAIVE_ACCESSES];
    int count;
};

struct naive_txns {
    bool lists;
    struct naive_txn txn[NAIVE_TXNS];
    int count;
};

// Whether the level allows it.
bool naive_allows(const struct naive_txns *h, const struct level *level);

#endif
