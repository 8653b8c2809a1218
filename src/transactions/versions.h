// Which versions each key had, who wrote and who read them, and what is known of their order. Every transaction that
// commits leaves one version of each key that it wrote.
//
// Lists show it: what was read is a prefix of all that is ever appended. Of registers only a transaction that reads a value
// and then overwrites it says which version follows which.
//
// Transactions of unknown outcome that nobody saw are left out here: leaving them out takes no order away.
#ifndef TRANSACTIONS_VERSIONS_H
#define TRANSACTIONS_VERSIONS_H

#include "transactions/level.h"
#include "transactions/transaction.h"

enum { NO_VERSION = UINT32_MAX };

struct version {
    uint32_t key;
    uint32_t writer;            // transaction; NO_TRANSACTION: what the key holds at first
    uint32_t access;            // its last write to the key
    uint32_t next, previous;    // versions directly after and before it, as far as they are known; or NO_VERSION
    uint32_t first_read, reads; // in `reads`: by others, before they wrote the key themselves
};

// What is wrong without a look at any order.
enum anomaly_kind {
    ANOMALY_NONE,
    ANOMALY_GARBAGE,      // `read` gave a value that nobody wrote
    ANOMALY_ABORTED,      // `read` gave what `write` wrote, and that aborted (G1a)
    ANOMALY_INTERMEDIATE, // `read` has `write`, but not `other`, which belongs to the same transaction (G1b)
    ANOMALY_FUTURE,       // `read` gave what `write` of the same transaction wrote only later
    ANOMALY_INTERNAL,     // `read` does not show `write` of the same transaction, which came before it
    ANOMALY_TWICE,        // `read` has the element of `write` twice
    ANOMALY_INCOMPATIBLE, // of the lists of `read` and `other`, none is the beginning of the other
    ANOMALY_REORDERED,    // `read` has `write` before `other`, of the same transaction and made before it
    ANOMALY_INTERLEAVED,  // `read` has `other`, of another transaction, amid the appends of that of `write` (G0)
    ANOMALY_UNREPEATABLE, // `read` and `other` of one transaction gave different versions
    ANOMALY_LOST_UPDATE,  // the transactions of `read` and `other` read one version, and both wrote the key
};

struct anomaly {
    enum anomaly_kind kind;
    uint32_t read, write, other; // accesses
    int64_t value;               // of garbage
};

struct versions {
    const struct transactions *from;
    struct version *all; // the first one of each key has the key's number
    uint32_t count;
    uint32_t *reads;     // accesses
    uint32_t *of_access; // of a final write: the version it made; of a read: the version it saw; or NO_VERSION
    bool *takes_part;    // of each transaction: it committed, or somebody saw what it wrote
    uint32_t *longest;   // of each list: the read that shows most of it, or NO_ACCESS
    bool unclear;        // some read could be of several writes, and is not looked at
    struct anomaly anomaly;
};

// Finds the versions, and their order as far as this level needs it, or an anomaly that the level forbids.
void versions_find(struct versions *versions, const struct transactions *from, const struct level *level);

void versions_free(struct versions *versions);

// For the two models: fill takes_part, of_access of reads (the final write that was seen, not yet a version) and the
// anomaly. FIRST_VERSION stands for what a key holds at first.
enum { FIRST_VERSION = UINT32_MAX - 1 };
void list_versions(struct versions *versions);
void register_versions(struct versions *versions);

// After versions have numbers: the order that the longest reads show.
void list_order(struct versions *versions);

#endif
