// Which predictions a report shows, and in which order: few, and what a reader needs first.
//
// The most telling come first: what does harm, then what made the program print something else, then the rest of what was seen to happen,
// by kind. Atomicity violations where threads hand over or wait are shown only if they do harm. Last come races that look like an
// *idiom*, on memory that programs often leave unprotected on purpose: *statistics*, where each write follows a read of the same
// line, and *flags*, which one place writes and others read. Of each group one is shown (prediction_groups.h), and of what does
// no harm at most MOST_HARMLESS groups.
#ifndef PREDICT_PREDICTION_CHOICE_H
#define PREDICT_PREDICTION_CHOICE_H

#include "predict/prediction_hunt.h"

enum { MOST_HARMLESS = 10 };

// What is not shown, in numbers.
struct prediction_choice {
    uint32_t shown;
    uint32_t alike;                           // one that is shown stands for them
    uint32_t beyond, beyond_groups;           // would be, if there were not so many …
    uint32_t beyond_statistics, beyond_flags; // … and which of these look like an idiom
    uint32_t unconfirmed, infeasible;         // not seen to happen: not known why; the program went another way
    uint32_t meant;                           // confirmed and harmless, where threads hand over or wait
    uint32_t untried;                         // others were asked for
    const char *why;                          // of one that is unknown, in words; null: there is none
};

// Sorts the list, groups it and sets `idiom` and `shown` of each. `tried`: the program was run; otherwise everything counts. `all`: all are shown.
// `only`: so is the one with this number, from 1 on.
struct prediction_choice predictions_choose(struct hunt *h, bool tried, bool all, uint32_t only);

#endif
