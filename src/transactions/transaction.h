// Transactions as a file has them: what each read and wrote, when it was called and returned, and whether it committed.
#ifndef TRANSACTIONS_TRANSACTION_H
#define TRANSACTIONS_TRANSACTION_H

#include "history/operation.h"
#include "history/value.h"
#include "transactions/lookup.h"

enum {
    NO_TRANSACTION = UINT32_MAX,
    NO_ACCESS = LOOKUP_NONE,
    REPEATED_WRITE = UINT32_MAX - 1,
};

// What the keys hold: lists, to which transactions append, or registers, which they overwrite.
enum transaction_model { MODEL_LISTS, MODEL_REGISTERS };

// One read or write of one key. What a list's reader saw stands in `elements` of the whole.
struct access {
    bool write;           // an append, where keys are lists
    bool final;           // the last write of its transaction to the key
    uint32_t key;         // number
    uint32_t transaction; // number
    int64_t value;        // what was written; of a register: what was read
    uint32_t first, count;
};

enum transaction_outcome {
    OUTCOME_COMMITTED,
    OUTCOME_ABORTED, // it had no effect
    OUTCOME_UNKNOWN, // it may have taken effect at any time after its call, or not; what it read is not looked at
};

struct transaction {
    uint32_t process;         // number
    uint32_t first, count;    // accesses
    int64_t called, returned; // times; OPERATION_NEVER
    uint32_t line, end_line;
    enum transaction_outcome outcome;
};

struct transactions {
    enum transaction_model model;
    struct transaction *all;
    uint32_t count;
    struct access *accesses;
    uint32_t access_count;
    int64_t *elements;
    uint32_t element_count;
    int64_t *keys; // by number: what the file calls it
    uint32_t key_count;
    int64_t *processes; // by number: what the file calls it
    uint32_t process_count;
    struct values values;

    // By key and value: the access that writes it. What aborted does not count where another writes the same.
    struct lookup writers;
    uint32_t repeated; // writes of values that another transaction wrote to the same key; never in lists

    char error[256]; // one sentence, if the file is wrong
    uint32_t line;   // where
    size_t room, access_room, element_room, key_room, process_room;
};

static inline const struct access *first_access(const struct transactions *all, const struct transaction *t)
{
    return all->accesses + t->first;
}

static inline const int64_t *elements_of(const struct transactions *all, const struct access *read)
{
    return all->elements + read->first;
}

// The access that wrote this value to the key; NO_ACCESS if there is none, REPEATED_WRITE if nobody can say which.
static inline uint32_t transactions_writer(const struct transactions *all, uint32_t key, int64_t value)
{
    return lookup_find(&all->writers, key, value);
}

void transactions_free(struct transactions *all);

#endif
