// From recorded runs to predictions: which hunts are made, and in which order they are told.
#ifndef PREDICT_PREDICT_RUN_H
#define PREDICT_PREDICT_RUN_H

#include "predict/correlate.h"
#include "predict/prediction_hunt.h"

struct predict_options {
    unsigned kinds;   // bits by prediction_kind
    unsigned bounds;  // bits by bound_kind
    bool merge_pairs; // correlated variables count as one, too
    bool again;       // keep a later one with the same places of each, too: they say nothing unless they are tried
    bool unlikely;    // look for what says nothing unless it is tried, too
    uint64_t support; // the fewest occurrences of a correlated pair
};

// The first recording is what predictions are made from; all of them count for correlations. Both results are to be freed.
void predict_run(const struct recording *const *recordings, uint32_t count, const struct predict_options *options,
                 struct hunt *hunt, struct correlations *correlations);

#endif
