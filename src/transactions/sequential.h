// Sequential consistency of registers and maps as transactions of one access each: the order of a session is that of its
// process. The search of orders has no bound there but 2^n; the graph of transactions nearly always decides it.
#ifndef TRANSACTIONS_SEQUENTIAL_H
#define TRANSACTIONS_SEQUENTIAL_H

#include "history/input.h"
#include "history/judge.h"
#include "transactions/decide.h"

// The operations as transactions, with the values of the input, which stay its own. False: the model, or some operation, is
// not of this kind. Either way sequential_free gives back what was taken.
bool sequential_as_transactions(struct transactions *all, const struct spec *spec, struct input *input);
void sequential_free(struct transactions *all);

// What is asked of them.
const struct level *sequential_level(void);

#endif
