// What may be asked of transactions: isolation levels, and which order beyond the data each has to respect.
#ifndef TRANSACTIONS_LEVEL_H
#define TRANSACTIONS_LEVEL_H

#include <stddef.h>

enum isolation {
    READ_COMMITTED,     // PL-2 of Adya (1999): a transaction reads what was committed before its own commit
    SNAPSHOT_ISOLATION, // reads from one moment; of two that write one key, one ends before the other begins
    SERIALIZABLE,       // one after the other
};

enum kept_order {
    NO_ORDER,
    SESSION_ORDER, // each process's transactions in their order
    TIME_ORDER,    // what returned before another was called comes first
    WRITES_BY_TIME, // the same, but only of two that write one register; no level asks for it, it is a way to find orders
};

struct level {
    const char *name; // as of the option --judge
    const char *said; // "snapshot-isolated"
    enum isolation isolation;
    enum kept_order order;
};

// Null if there is no level of this name.
const struct level *level_find(const char *name);

// The one that is asked for if nothing is said.
const struct level *level_default(void);

// The nth, or null.
const struct level *level_nth(size_t n);

#endif
