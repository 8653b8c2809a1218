// Transactions, what they read, and why one comes before another, in words.
#ifndef REPORT_TRANSACTIONS_PHRASE_H
#define REPORT_TRANSACTIONS_PHRASE_H

#include "base/buffer.h"
#include "report/transactions.h"

// The transactions that are spoken of, T1, T2, … in the order of their calls.
struct txn_names {
    uint32_t *transactions, count;
    size_t room;
};

void txn_names_add(struct txn_names *names, uint32_t transaction);
void txn_names_sort(struct txn_names *names, const struct transactions *from);

// All that the reason for a no speaks of.
void txn_names_of(struct txn_names *names, const struct decision *decision);
void txn_names_free(struct txn_names *names);

// "serializable", "not snapshot isolated", "unknown".
const char *tell_level(const struct decision *decision, char *text, size_t room);

// "lost update", "write skew (G2-item)", or null if the reason has no name.
const char *tell_reason_name(const struct decision *decision, char *text, size_t room);

// "T2"
void tell_txn(struct buffer *out, const struct txn_names *names, uint32_t transaction);

// What the file calls the process of the transaction.
void tell_process_of(struct buffer *out, const struct transactions *from, uint32_t transaction);

// "r x → [1 2], append y 3"
void tell_accesses(struct buffer *out, const struct transactions *from, uint32_t transaction, const char *gives);

// "T1 read x as [1], but nobody wrote the 1"
void tell_anomaly(struct buffer *out, const struct decision *decision, const struct txn_names *names);

// "T1 is before T2: T2 read x as [1], with the 1 that T1 appended". What follows from a choice refers to it by number.
void tell_step(struct buffer *out, const struct decision *decision, const struct txn_names *names,
               const struct cycle_step *step);

// "T1 wrote x before T2 did"
void tell_order(struct buffer *out, const struct decision *decision, const struct txn_names *names,
                const struct order_choice *choice, int way);

// For unknown: what nobody could find out, as a sentence.
void tell_unknown(struct buffer *out, const struct decision *decision);

// The place in `forced` of the choice that a step refers to, or UINT32_MAX.
uint32_t forced_number(const struct choices *choices, uint32_t choice);

// Which of the forced choices the impossible one rests on, directly or through others; by their place.
bool *forced_needed(const struct choices *choices);

#endif
