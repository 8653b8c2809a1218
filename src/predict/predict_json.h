// Predictions and correlations as JSON (docs/predict.md has the fields).
#ifndef PREDICT_PREDICT_JSON_H
#define PREDICT_PREDICT_JSON_H

#include <stdio.h>

#include "predict/predict_run.h"

// 0, or -1 with errno set.
int predict_json(FILE *out, const struct hunt *h, const struct correlations *c);

#endif
