// What a search needs of the system under test. Threads of one process and distributed nodes both provide it.
#ifndef MODEL_TARGET_H
#define MODEL_TARGET_H

#include "model/exec.h"

struct target {
    struct exec *exec;

    // Whether the pending operation of a parked actor would go through now.
    bool (*ready)(struct target *target, uint32_t actor);

    // Lets a ready actor execute its pending operation with the given outcome and run on to its next one. Appends
    // exactly one event.
    void (*step)(struct target *target, uint32_t actor, uint32_t alternative);

    // Lets an actor that waits for nothing any more, but was left alone so far because nobody needed it, run on to its
    // next operation; it depends only on what has happened already. Says whether it was such an actor. May be null.
    bool (*settle)(struct target *target, uint32_t actor);

    // Whether the pending operation of a parked actor belongs to one block with its last event, so that nobody else may
    // take a step in between. May be null: there are no blocks.
    bool (*goes_on)(struct target *target, uint32_t actor);

    // Whether an actor that is not ready in the middle of its block goes in circles there although what it waits for has
    // come since it looked: the execution in which it looks later is another one. May be null: never.
    bool (*in_vain)(struct target *target, uint32_t actor);

    // The actor cannot finish the block that it would begin now: until the next step or restart it is not ready.
    void (*hold)(struct target *target, uint32_t actor);

    // Brings the system back to where it was after its first `events` events, and cuts the execution to them.
    void (*restart)(struct target *target, uint32_t events);

    // The actor is about to do something else than it did after the same past in another execution: tells the target, which
    // is lost then. May be null.
    void (*surprise)(struct target *target, uint32_t actor, struct op expected);

    // A step or a restart could not be done as asked, because the system does not behave the same each time. From then on
    // both do nothing, and the search has to end.
    bool lost;
};

#endif
