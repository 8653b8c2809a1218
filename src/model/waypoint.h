// Accesses and calls that a run is to make in a certain order: strategy `wishful`.
#ifndef MODEL_WAYPOINT_H
#define MODEL_WAYPOINT_H

#include <stdint.h>

enum { WAYPOINTS = 8 };

// The `nth` time, from 1 on, that the actor comes to this operation, and other threads are there.
struct waypoint {
    uint32_t actor, nth;
    uint32_t plain;   // a plain access, which is an operation only if its word is made visible
    uint32_t ends;    // what counts is the actor's end
    uint64_t pc;      // return address of the hook
    uint64_t address; // of the word or the object
};

struct wish_job {
    uint32_t count;
    struct waypoint point[WAYPOINTS];
    uint32_t pair_count; // 0: all actors are to stand at their points at the same time
    struct {
        uint32_t before, after; // numbers of points
    } pair[WAYPOINTS];
    uint32_t sees_unlocks; // some point lets a lock go

    // The answer.
    uint32_t fulfilled; // all is as wished
    uint32_t gave_up;   // nobody could go on without going against a wish: who waited was let go
    uint32_t passed;    // points that were passed, or at which an actor stood to the last: a bit each
};

#endif
