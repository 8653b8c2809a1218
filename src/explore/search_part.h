// A part of a search that one worker gives to another: a branch of `optimal`, with everything that is needed to explore it wherever
// the same program runs. Actors must have the same numbers there; objects need not.
//
// What is given away is always what would have come last. So the executions of whoever gives come before those of the part, which
// come before those of a part given away earlier, and all together, in this order, are the search of one worker.
#ifndef EXPLORE_SEARCH_PART_H
#define EXPLORE_SEARCH_PART_H

#include "explore/course.h"

struct search_part {
    uint32_t steps, detours; // how many there are
    uint32_t from;           // the steps before are those of another execution
    bool doubtful;           // whether it belongs there shows only when it is run
    struct plan_step *step;  // room for as many as an execution may have, and two more
    struct detour *detour;   // the same
};

#endif
