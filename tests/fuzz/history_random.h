// Random histories of a few operations: what an object did that really is atomic, sometimes with something changed.
#ifndef FUZZ_HISTORY_RANDOM_H
#define FUZZ_HISTORY_RANDOM_H

#include "fuzz/history_naive.h"

struct random_history {
    enum model model;
    struct operation ops[NAIVE_OPS];
    int count;
};

uint64_t random_next(uint64_t *seed);

// At most `most` operations.
void random_history(struct random_history *h, uint64_t *seed, int most);

// Of a queue or a stack into which few values go, again and again.
void random_list_history(struct random_history *h, uint64_t *seed, int most);

void random_history_print(const struct random_history *h);

#endif
