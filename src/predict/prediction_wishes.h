// A prediction as wishes of a run under control (explore/wishful.c): its records as operations, and which are to come before which. Besides
// what is predicted, they have what the predicted order needs for it.
#ifndef PREDICT_PREDICTION_WISHES_H
#define PREDICT_PREDICTION_WISHES_H

#include "predict/waypoints.h"

// Null, or why that is not possible.
const char *prediction_wishes(struct waypoints *w, const struct prediction *p, struct wish_job *wishes);

// Adds what keeps the run near the recorded one: of two operations that are to change places, whatever the thread of the later one did before
// the sections in which it does it still comes first. Otherwise the thread of the earlier one may run before there is anything that it
// could do harm to. False: there is nothing to add.
bool prediction_wishes_as_recorded(struct waypoints *w, const struct prediction *p, struct wish_job *wishes);

// Whether it is a deadlock of a join: it has come about if the run has a deadlock.
bool prediction_is_of_join(const struct hunt *h, const struct prediction *p);

#endif
