// The clients of an object inside a worker: all orders of one first, then the judgement of each of its executions.
#ifndef WORKER_CLIENTS_H
#define WORKER_CLIENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/step.h"

// Runs the chosen client through all orders of its calls, one at a time, from the beginning of main. `stop` is asked after
// each. False if it said so, or there are more orders than heddle can keep; `too_many` tells.
bool clients_find_orders(bool (*stop)(void *context), void *context, uint32_t max_steps, bool *too_many);

// Judges the execution at its end, which was not cut short: adds a failure if no order explains what the calls gave, and
// takes the failure of a deadlock away if the calls have to wait. `as_run`: this very execution, and not those that are
// equivalent to it. True if `steps` got the schedule of an equivalent one that shows the failure.
bool clients_judge(bool as_run, struct step *steps);

// Runs the program from its beginning up to the client's first event. In a recorded run the failure is added at the first
// return that no order explains.
void clients_start(void);

#endif
