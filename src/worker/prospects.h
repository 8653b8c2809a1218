// What of the history so far still matters: for matching states (worker/matching.h).
#ifndef WORKER_PROSPECTS_H
#define WORKER_PROSPECTS_H

#include <stdbool.h>

#include "model/fingerprint.h"

// The witnesses of a client are known (orders.h); forgets those of the one before.
void prospects_begin(void);

// The prospects of the execution up to now, by number. `results` is the rest of what has to be the same: if it is, and so are
// the prospects, executions that go on in the same way give the same results and are judged alike.
uint32_t prospects_now(struct fingerprint *results);

// Whether an execution with the prospects `few` fails wherever one with `many` that goes on in the same way does.
bool prospects_within(uint32_t few, uint32_t many);

#endif
