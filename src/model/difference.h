// Where a repeated execution first did something else than before: what was expected and what it did.
#ifndef MODEL_DIFFERENCE_H
#define MODEL_DIFFERENCE_H

#include <stdint.h>

enum difference_kind {
    DIFFERENCE_NONE,
    DIFFERENCE_OPERATION, // another operation, or on another object
    DIFFERENCE_OUTCOME,   // the same operation with another effect or result
    DIFFERENCE_BLOCKED,   // the actor cannot take its step: it waits for something else, has ended or is not there
    DIFFERENCE_END        // after the last event, some actor is left in another state
};

struct difference_side {
    uint32_t actor;
    uint32_t op;    // enum op_kind; OP_NONE if not known
    uint32_t state; // enum actor_state
    uint32_t effect;
    uint64_t address; // of the object; 0: none
    uint64_t pc;
    uint64_t result;
};

struct difference {
    uint32_t kind;  // enum difference_kind
    uint32_t event; // number of the first event that differs
    struct difference_side expected, seen;
};

#endif
