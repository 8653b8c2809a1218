// From which event of an execution on the results of operations do not depend on the order of what threads do (subspace.h). Most
// operations have one result. Of others, such as trylock, the object decides it; that is the same in every order if nobody else uses the
// object, or nobody changes it.
#ifndef EXPLORE_SUBSPACE_FIXED_H
#define EXPLORE_SUBSPACE_FIXED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/exec.h"

enum { OBJECT_USES = 1 << 10 };

// What is known of an object's events from some event on.
struct object_use {
    uint32_t object, round;
    uint32_t actor; // of the first, plus 1
    bool several;   // others have some, too …
    bool written;   // … and some may change it
    bool asked;     // some give a result that the object decides
};

struct object_uses {
    struct object_use use[OBJECT_USES];
    uint32_t round;
};

// The number of the first such event; the length of the execution if there is none.
uint32_t fixed_from(struct object_uses *u, const struct exec *x);

#endif
