// Steers an execution towards reads-from pairs: each goal names a spot that is to look and the spot whose change it is to
// see (pairs.h). Who would spoil a goal is held back while somebody else can run, and who would reach it goes first. Where the
// program does not allow it, or another goal is in the way, a goal is just not met.
#ifndef EXPLORE_GOALS_H
#define EXPLORE_GOALS_H

#include "explore/pairs.h"

enum { MOST_GOALS = 4 };

struct goal {
    uint32_t change, look; // spots; `change` may be NOBODY
    bool then;             // for the actor that met the goal before it, which is open as well
    uint16_t actor;        // … once it has, plus 1
};

struct goals {
    struct goal open[MOST_GOALS];
    uint32_t count;
};

enum stance {
    STANCE_FREE,
    STANCE_HELD,  // would spoil a goal, or come too early for it
    STANCE_URGED, // would reach one
};

// What the goals say to the pending operation of a parked actor, which is on `object`, in an execution that `p` has followed.
enum stance goals_stance(const struct goals *g, struct pairs *p, uint32_t actor, uint32_t object);

// The actor is about to take its step: the goals that it reaches are no longer open.
void goals_step(struct goals *g, struct pairs *p, uint32_t actor, uint32_t object);

#endif
