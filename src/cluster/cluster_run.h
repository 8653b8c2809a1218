// Searching the executions of a cluster, and making a failing one short.
//
// A failing execution is made shorter afterwards (shortening.h). The audit of rules is here, too: all executions are run, and
// the ways in which they end are compared with those of the executions that the rules leave (outcome.h).
#ifndef CLUSTER_CLUSTER_RUN_H
#define CLUSTER_CLUSTER_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "cluster/policy.h"
#include "model/step.h"
#include "target/nodes/world.h"

struct cluster_options {
    struct world_options world;
    const struct strategy_traits *strategy; // a row of strategy_table; null: by `policy`
    struct policy policy;
    enum policy_next next;
    struct state_keeping keeping;
    bool proposes; // looks for what could be called auxiliary
    bool has_mark; // at most `max_executions` that come to their end
    struct policy mark;
    uint64_t max_executions, seed, runs;
    uint32_t
        workers; // all but one draw samples beside the search, where it has samples (samplers.h); or all share it (searchers.h)
    double seconds;    // 0: any time
    size_t memory;     // bytes that the search may take; 0: any
    bool keep_going;   // after a bug: look for others
    bool shows;        // a line on the terminal says how far it is
    uint32_t patience; // see world_settle
};

enum cluster_end {
    CLUSTER_DONE,
    CLUSTER_BUG,
    CLUSTER_EXECUTIONS,
    CLUSTER_TIME,
    CLUSTER_MEMORY,
    CLUSTER_INTERRUPTED,
    CLUSTER_WRONG_RULE,
    CLUSTER_UNSTEADY // a run ended differently when it was repeated
};

enum { MOST_BUGS = 16 };

struct cluster_result {
    enum cluster_end end;
    enum cluster_end searched; // how the search itself ended, with keep_going
    uint64_t executions, events, cut, redundant;
    char no_room[FAILURE_TEXT];        // what heddle had no room for, in executions that were cut for it; or empty
    double seconds, processor_seconds; // of this process
    uint32_t samplers;                 // workers beside the search …
    uint64_t drawn;                    // … and the samples that they drew, which are in none of the counts
    uint32_t searchers;                // workers that shared the search; 0: it was not shared
    bool by_sampler;                   // one of them found the bug
    struct policy_counts policy;
    // Of a bug:
    enum failure_kind failure;
    char text[FAILURE_TEXT];
    int node;
    int sort;           // as world.failure_sort
    uintptr_t place;    // as world.failure_place
    struct step *steps; // the caller frees them
    uint32_t step_count;
    uint32_t found_after; // steps that it had when the search found it
    uint32_t faults;
    uint32_t length; // steps, with those of settling if it failed there
    // With keep_going the others, of which only what is said of a bug counts; the caller frees them by cluster_result_free.
    struct cluster_result *others;
    uint32_t other_count;
};

// Searches the world, which is open, and shortens what it finds.
void cluster_run(const struct cluster_options *options, struct cluster_result *result);
void cluster_result_free(struct cluster_result *result);

// Runs a schedule from the beginning up to a failure, leaving out steps that cannot be taken. The world stays where it
// ended; world.failure says how. Returns how many were left out.
uint32_t cluster_follow(const struct step *steps, uint32_t count);

// Takes over the steps of the current execution, and how it failed.
void cluster_keep_steps(struct cluster_result *result);
void cluster_keep_failure(struct cluster_result *result);

// How many faults the current execution has had.
uint32_t cluster_faults(void);

// Back to the beginning, also if something happened outside the execution.
void cluster_rewind(void);

// Called with the world's final states: every execution that came to its end. For tests.
extern void (*cluster_final)(uint64_t hash);

#endif
