// Running a client of an object (model/client.h) as threads of the program, and what its calls did in this execution.
#ifndef TARGET_CLIENT_H
#define TARGET_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#include "model/client.h"

enum call_state { CALL_NOT_BEGUN, CALL_BEGUN, CALL_RETURNED };

struct ran_call {
    int64_t result;
    uint32_t state; // enum call_state
    uint32_t actor;
    uint32_t first;  // which of the actor's events is its call, counted from 1; 0 if it needed none
    uint32_t called; // the number of that event
    uint32_t last;   // of the actor's newest event when it returned
    bool excused;    // one at a time: it failed because it may, not because the object said so
};

// Goes back with the execution, except for the first four.
struct client_run {
    struct client_job *job; // null: the program is not to run a client
    const struct client *client;
    bool one_at_a_time;                              // a call begins only when no other is under way
    void (*returned)(uint32_t call, const void *pc); // told of every return while the run is recorded
    struct ran_call ran[CLIENT_CALLS];
    uint64_t order[CLIENT_CALLS]; // calls in the order in which they returned
    uint64_t ended;               // how many have
};

extern struct client_run client_run;

// "pop() = 3", "push(1)" for people. Must be called with engine.running null.
void client_show_call(uint32_t call, bool with_result, char *text, size_t room);

#endif
