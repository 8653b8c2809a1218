// Is there an order of the operations that the specification allows, and that respects the order in which they were seen?
//
// The search is the one of Wing and Gong with the improvements of Lowe ("Testing for linearizability", 2017): depth first,
// one operation after the other, remembering each combination of what is left and state. Beyond that, each proved where
// it stands in linearize.c: an operation that only reads is taken as soon as it fits; of equal operations that are open at
// the same time the first to return goes first; an operation that never returned is taken only where it makes a
// difference to the next one; what is left is kept as the few operations that could be next, not as a set of all.
//
// No allocation but the reservation in linearizer_init: a check of a dozen operations takes a few microseconds.
//
// Queues and stacks try first what fits the order in which values come out, which is a hint only. A place is left alone
// if it was visited with fewer pending operations in use. history_invoke, history_return and history_undo build
// histories step by step for callers inside a search.
#ifndef HISTORY_LINEARIZE_H
#define HISTORY_LINEARIZE_H

#include <stdbool.h>

#include "history/space.h"

enum judgement {
    JUDGE_LINEARIZABLE, // an operation that returned before another was called comes first
    JUDGE_SEQUENTIAL,   // only each process's own operations keep their order
    JUDGE_QUIESCENT,    // only operations with a moment in between at which nothing was under way do
};

enum verdict { VERDICT_NO, VERDICT_YES, VERDICT_UNKNOWN };

struct lin_options {
    enum judgement judgement;
    uint64_t may_fail;    // a bit per call whose failure may be given in any state, without effect
    bool ignore_pending;  // operations that never returned had no effect
    bool guess_reads;     // what has a result and changes nothing where it fits is taken there: a no then says nothing
    uint64_t max_visited; // places; 0: any number
    double deadline;      // as of time_now; 0: none
    const bool *reads;    // of each operation: whether it only reads; null: ask the specification

    // Asked at each end that is reached: false means that it will not do. Null: every end will. The state need not be
    // a new one.
    bool (*accept)(void *context, const void *state, size_t size);
    void *accept_context;
};

struct lin_step {
    uint32_t op;
    int64_t result; // what the specification gave
};

// What is needed over and over; `order` is valid until the next check.
struct linearizer {
    struct space space;
    struct lin_step *order; // if the verdict was yes: one order; without operations that had no effect
    uint32_t order_count;
    uint64_t visited;   // places of the last check
    uint32_t deepest;   // operations of the longest order that was tried
    const char *reason; // if the verdict was unknown: what ran out, for example "memory"
};

void linearizer_init(struct linearizer *z, size_t bytes);
void linearizer_free(struct linearizer *z);

enum verdict linearize(struct linearizer *z, const struct spec *spec, const struct operation *ops, uint32_t count,
                       const struct lin_options *options);

// Whether the call can do nothing in this state. `scratch` has room for a state.
bool lin_blocks(const struct spec *spec, const void *state, size_t size, const struct operation *op, void *scratch);

// Whether failing is all that the operation did, for no reason that the specification knows.
bool lin_may_fail(const struct spec *spec, const struct operation *op, uint64_t may_fail);

// Whether there is no time left, up to `deadline` (0: any amount), or the user wants an end.
bool lin_late(double deadline);

#endif
