// What is checked of one program.
#ifndef FUZZ_CHECK_H
#define FUZZ_CHECK_H

#include "fuzz/oracle.h"

struct tally {
    uint64_t programs, skipped;         // skipped: too large for the oracle
    uint64_t traces, optimal, rejected; // rejected: branches that optimal began and found to belong elsewhere
    uint64_t parts;                     // of optimal searches that were divided
    uint64_t dpor, blocked;
    uint64_t dfs, bounded, rooted; // programs small enough for dfs: whole, with few preemptions, below a beginning
    uint64_t all_bounds;           // small enough for every bound on preemptions
    uint64_t circular, endless;    // programs that go round, and those of them that may never end
    uint64_t states, spor, dlspor, sdpor; // states that these entered
    uint64_t forgotten;                   // with a small table
    uint64_t classes, rf;                 // reads-from classes, executions of rf
    uint64_t rf_dropped;                  // of these given up
    uint64_t by_traces;                   // programs that rf left to traces
    uint64_t with_blocks;                 // twice those small enough for blocks that are not interrupted
};

enum { MOST_TRACES = 60000 };

// Says what is wrong with the program's exploration; null if nothing. `exact`: optimal must meet every trace once. A program is
// too large if its traces have more than `most_traces` beginnings.
const char *check_program(const struct program *p, bool exact, uint32_t most_traces, struct tally *tally);

// How many executions `optimal` takes; 0 if it meets a trace twice.
uint64_t count_optimal(const struct program *p);

#endif
