// One run of the recorded program under control, in which some operations are wished in some order (explore/wishful.c).
#ifndef PREDICT_WISHED_RUN_H
#define PREDICT_WISHED_RUN_H

#include "predict/waypoints.h"

struct wished_run {
    bool fulfilled, gave_up;
    uint32_t passed;  // operations that came, a bit each
    struct bug *bugs; // failures of the run
    uint32_t bug_count;
    char *output;    // what it printed, its lines sorted
    uint32_t status; // of the process, if it is not 0
    char *trouble;   // why it says nothing; null: it does
    struct job *job;
};

// The seed 0 stands for the usual order where nothing is wished.
void wished_run(const struct waypoints *w, const struct wish_job *wishes, uint64_t seed, struct wished_run *run);
void wished_run_free(struct wished_run *run);

// Whether the run has such a failure.
bool wished_run_fails_so(const struct wished_run *run, const struct bug *bug);

// `sources` are what the program was built from; null: nothing. Keeps its schedule in STEM.KIND-NUMBER.hd, or STEM.KIND.hd for the first. The path, to be freed; null after a sentence if it cannot
// be written.
char *wished_run_keep(const struct waypoints *w, const struct wished_run *run, char *const *sources, const char *stem,
                      const char *kind, uint32_t number);

#endif
