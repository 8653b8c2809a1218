// Predictions as SARIF 2.1.0, for code scanning: a result for each group, with the predicted order as a code flow.
#ifndef PREDICT_PREDICT_SARIF_H
#define PREDICT_PREDICT_SARIF_H

#include <stdio.h>

#include "predict/prediction_hunt.h"

// `all`: also those that were tried and not confirmed, and all of a group. 0, or -1 with errno set.
int predict_sarif(FILE *out, const struct hunt *h, bool tried, bool all);

#endif
