// Predictions and correlations for people.
#ifndef PREDICT_PREDICT_TEXT_H
#define PREDICT_PREDICT_TEXT_H

#include <stdio.h>

#include "base/buffer.h"
#include "predict/predict_run.h"
#include "report/style.h"

// One prediction: what may happen, the order in which it does as a table by threads, what became of it. `all`: those of its group are
// told as well, each for itself.
void predict_text(FILE *out, const struct hunt *h, const struct prediction *p, uint32_t number, bool all,
                  const struct style *style);

// The sentence alone, without a full stop.
void predict_sentence(const struct hunt *h, const struct prediction *p, struct buffer *out);

// What would have prevented it, in a sentence; nothing if that is not known.
void predict_remedy(const struct hunt *h, const struct prediction *p, struct buffer *out);

// "reads x" and so on, with the names of the recording.
void predict_action(const struct recording *r, uint32_t record, struct buffer *out);

// What an access read or wrote in the recorded run, with a blank in front; nothing if that is not known.
void predict_values(const struct recording *r, uint32_t record, const struct style *style, struct buffer *out);

void correlations_text(FILE *out, const struct correlations *c, const struct recording *first);

#endif
