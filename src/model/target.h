// What a search needs of the system under test. Threads of one process and distributed nodes both provide it.
#ifndef MODEL_TARGET_H
#define MODEL_TARGET_H

#include "model/exec.h"

enum foresight { FORESEE_NOTHING, FORESEE_A_LOOK, FORESEE_A_CHANGE };

struct target {
    struct exec *exec;

    // Whether the pending operation of a parked actor would go through now.
    bool (*ready)(struct target *target, uint32_t actor);

    // A number for the place in the code at which a parked actor stands, the same for all that run this code. May be null: places
    // are not known.
    uint64_t (*code_place)(struct target *target, uint32_t actor);

    // Lets a ready actor execute its pending operation with the given outcome and run on to its next one. Appends
    // exactly one event.
    void (*step)(struct target *target, uint32_t actor, uint32_t alternative);

    // An actor may no longer have to wait, and still not have been run because nobody needed it. Lets such an actor run on to its
    // next operation, which depends only on what has happened already. Returns whether this was such an actor. May be null.
    bool (*settle)(struct target *target, uint32_t actor);

    // Whether the pending operation of a parked actor belongs to one block with its last event, so that nobody else may
    // take a step in between. May be null: there are no blocks.
    bool (*goes_on)(struct target *target, uint32_t actor);

    // Whether an actor that is not ready in the middle of its block spins there although what it waits for has happened since it
    // looked: another execution shows it looking later. May be null: never.
    bool (*in_vain)(struct target *target, uint32_t actor);

    // The actor cannot finish the block that it would begin now: until the next step or restart it is not ready.
    void (*hold)(struct target *target, uint32_t actor);

    // Whether an event would have changed its object had it looked at what the event `like` looked at. May be null: that is never
    // known.
    enum foresight (*foresee)(struct target *target, uint32_t event, uint32_t like);

    // Brings the system back to where it was after its first `events` events, and cuts the execution to them.
    void (*restart)(struct target *target, uint32_t events);

    // Tells the target that the actor is about to do something else than it did after the same past in another execution. The target
    // is lost then. May be null.
    void (*surprise)(struct target *target, uint32_t actor, struct op expected);

    // A step or a restart could not be done as asked, because the system does not behave the same each time. From then on
    // both do nothing, and the search has to end.
    bool lost;
};

#endif
