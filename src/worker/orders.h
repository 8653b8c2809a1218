// Can some order of whole calls explain what a client saw?
//
// First all orders are run, one call at a time (orders_note at the end of each): the witnesses. Then every execution is held
// against them. An execution of the search stands for all that differ only in the order of independent events, and those may
// differ in which call returned before which began. Calls and returns need not be made dependent for that: which of the
// orders are possible together follows from what happens before what in any one of them. See orders.c.
//
// Calls that may fail only if another overlaps them, and calls whose results may be rough, are judged here too; where a
// client has such calls the history is part of a state as it is (orders_need_times). `dfs`, `replay` and the search for
// few preemptions judge executions as they are run, which is the oracle in tests/lin.test.sh.
#ifndef WORKER_ORDERS_H
#define WORKER_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/client.h"
#include "model/step.h"

typedef uint16_t calls; // a set of calls

enum { NOBODY = 255 };

struct witness {
    uint8_t order[CLIENT_CALLS]; // calls that return
    uint8_t count;
    uint8_t waits; // the call that has to wait then, or NOBODY
    calls returned;
    calls excused; // failed because another call overlaps them, as operations may that are declared so
    int64_t result[CLIENT_CALLS];
};

// What an execution looks like to its judge.
struct view {
    int64_t result[CLIENT_CALLS];
    calls begun_before[CLIENT_CALLS]; // of B: all A that began before B returned (orders.c: D(A, B))
    calls returned, begun;
    calls rough;    // calls whose results need only lie between what orders give …
    calls asked;    // … one of which is asked about, while the results of the others do not matter
    uint32_t waits; // the call that has to wait, or NOBODY
    int32_t side;   // -1: an order is wanted that gives the one that is asked about no more than it gave, 1: no less
};

// Whether more matters of the history so far than the orders that explain it: who overlapped whom, or what single calls gave.
bool orders_need_times(void);

// Forgets the witnesses of the client before.
void orders_begin(void);

// The execution at its end, one call at a time, is one of the orders. False if there is no room for it.
bool orders_note(void);

uint32_t orders_count(void);
const struct witness *orders_witness(uint32_t number);

// The execution up to now; nobody waits in it.
void orders_look(struct view *v, bool as_run);

// Whether every execution equivalent to the one at its end (`as_run`: this very one) can be explained. If not, `steps` gets
// the schedule of one that cannot, as long as the execution. Where blocks are used (target/threads/engine/blocks.h) only those count
// in which they are not interrupted.
bool orders_explain(bool as_run, struct step *steps);

// After orders_explain said no: whether what cannot be explained is that the first call returned before the second began.
bool orders_wish(uint32_t earlier, uint32_t later);

// The same for the first part of the execution, up to now.
bool orders_explain_prefix(void);

// How many different combinations of results executions of this client had.
uint32_t orders_outcomes(void);

// How many different histories were looked at since it was asked last.
uint64_t orders_new_histories(void);

#endif
