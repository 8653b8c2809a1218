// Executions as the search for root causes needs them, written by a worker one after the other, read by the supervisor: a
// header, its events, its edges, and the return addresses of all events.
#ifndef MODEL_RUNS_H
#define MODEL_RUNS_H

#include <stdint.h>

enum { RUN_MAGIC = 0x68656472, RUN_NO_CALL = UINT16_MAX };

struct run_header {
    uint32_t magic;
    uint32_t bad;    // it, or one that is equivalent, fails
    uint32_t client; // of the batch
    uint32_t events, edges, frames;
};

struct run_event {
    uint16_t actor;
    uint16_t call;   // of the client, or RUN_NO_CALL
    uint16_t frames; // return addresses, outermost first; the last one is that of the event itself
    uint16_t kept;   // so many activations are the same as at the actor's event before
};

// What came before what, besides the order within each actor.
struct run_edge {
    uint32_t from, to;
};

#endif
