// The loop that runs one execution after the other for a strategy, within bounds.
#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include "explore/strategy.h"

enum search_end {
    SEARCH_DONE,      // nothing is owed any more
    SEARCH_STOPPED,   // the caller's `leaf` said so
    SEARCH_EXECUTIONS // the bound on executions was reached
};

struct search {
    struct strategy *strategy;
    uint64_t max_executions;
    uint32_t max_steps; // events in one execution; a longer one is cut there and counted in `cut`

    // Told of every finished execution, before the target is restarted; false ends the search. `whole` is false if it
    // was cut at max_steps.
    bool (*leaf)(void *context, bool whole);
    // Asked once the strategy has said where the next execution begins: whether something else is to be run with the target, and
    // then to run it; false ends the search. May be null.
    bool (*interlude_is_due)(void *context);
    bool (*interlude)(void *context);
    void *context;

    uint64_t executions;
    uint64_t events; // executed anew, not counting what restarting repeated
    uint64_t cut;
    bool planned; // the strategy has named another execution, which has not begun, and the target may be anywhere
};

enum search_end search_run(struct search *search);

#endif
