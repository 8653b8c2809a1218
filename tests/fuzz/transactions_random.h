// Random transactions: what a small database did, which kept to one level or to none, sometimes with a read changed.
#ifndef FUZZ_TRANSACTIONS_RANDOM_H
#define FUZZ_TRANSACTIONS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "fuzz/transactions_naive.h"

// `repeat`: registers get the same values again and again.
void random_txns(struct naive_txns *h, uint64_t *seed, int most, bool repeat);

// As a file: events (EDN), or whole transactions (JSON). Returns its length.
size_t random_txns_write(const struct naive_txns *h, bool events, char *text, size_t room);

#endif
