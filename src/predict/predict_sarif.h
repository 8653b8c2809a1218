// Predictions as SARIF 2.1.0, for code scanning: a result for each group, with the predicted order as a code flow.
#ifndef PREDICT_PREDICT_SARIF_H
#define PREDICT_PREDICT_SARIF_H

#include <stdio.h>

#include "predict/prediction_hunt.h"

// Those that are shown (prediction_choice.h). 0, or -1 with errno set.
int predict_sarif(FILE *out, const struct hunt *h, bool tried);

#endif
