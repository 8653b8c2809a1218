// Predictions that are about one thing, so that a report tells it once.
//
// Atomicity violations between the same two parts of the program are one group: what is missing is one lock, or one condition. A part is
// the region of the prediction, if it has a place in the code; otherwise what a thread does that is created at some place. Of those that do
// harm, only such as fail in the same way are of one group; others of the same parts join the first of those. Every other prediction
// that does harm joins those that fail in the same way, whatever they are about. Races that do none are one group if they are about one
// global variable, or about memory that is allocated at one place (where that is an allocator of the program's own: memory of one size);
// the rest are groups of their own.
#ifndef PREDICT_PREDICTION_GROUPS_H
#define PREDICT_PREDICTION_GROUPS_H

#include "predict/prediction_hunt.h"

// Sets `group`, `alike` and `alike_harmful` of all predictions. The first of a group in the list stands for it.
void predictions_group(struct hunt *h);

#endif
