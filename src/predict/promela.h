// A question about a recorded run as a model for Spin, to hold the grid search against somebody else's model checker.
#ifndef PREDICT_PROMELA_H
#define PREDICT_PROMELA_H

#include <stdio.h>

#include "predict/model.h"

// Writes the model: a process for each thread, with its records that synchronise and those that are asked for. The property (without
// the operator X, which Spin does not take) says that what is asked for never happens: Spin finds an error if and only if some
// run of the model does it.
void promela_write(FILE *out, const struct model *m, const struct question *q);

#endif
