// Makes a failing schedule simpler: the steps of each thread are brought together wherever the run goes on to fail.
//
// This takes as many runs as the schedule has troublesome places, not as it has steps, so it is for schedules that are too
// long to search for a simpler one. It finds some simpler schedule, not the simplest.
//
// A run of 20,000 events with 15,000 random switches takes some dozens of attempts.
#ifndef SUPERVISE_SIMPLIFY_H
#define SUPERVISE_SIMPLIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/step.h"

struct simplify {
    struct step *steps; // the schedule at hand, malloc'ed
    uint32_t count;

    // Runs the proposed schedule as well as it can be followed. If that fails as it should and is simpler, the run's own
    // steps become the schedule at hand, and the answer is true.
    bool (*attempt)(struct simplify *s, const struct step *steps, uint32_t count);

    bool (*time_left)(struct simplify *s);
    void *context;
};

void simplify_run(struct simplify *s);

#endif
