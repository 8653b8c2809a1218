// Predictions tried: the program of the recording is run under heddle's control (explore/wishful.c) so that what is predicted comes
// about, if the program goes that way, and what it leads to is judged.
//
// *Confirmed*: a run was seen in which the records came in the predicted order, or stood next to each other. *Infeasible*: in no try
// did they, and which of them was not reached is told. *Unknown*: heddle cannot run the program, or cannot find the records in it.
//
// A confirmed prediction is *harmful* if the run fails (an assertion, a crash, a hang, another status) and runs in which one thread
// does its part first, in either order, do not fail that way; or if it prints something that none of those prints. Lines of
// output may come in another order.
#ifndef PREDICT_CONFIRM_H
#define PREDICT_CONFIRM_H

#include "base/strings.h"
#include "predict/waypoints.h"

struct confirmer {
    struct hunt *h;
    struct subject subject;
    struct waypoints waypoints;
    struct strings sources; // as they can be reached from here …
    char *program;          // … or the program; null: it is built
    const char *stem;       // of names of schedules
    char *trouble;          // why nothing can be tried; null: it can
    double until;           // nothing is begun after this (time_now)
    uint32_t schedules;
};

// Finds or builds the program.
void confirm_begin(struct confirmer *c, struct hunt *h, const char *stem, double seconds);
void confirm_end(struct confirmer *c);

// Tries one prediction, and keeps a schedule of what was confirmed.
void confirm_prediction(struct confirmer *c, struct prediction *p);

#endif
