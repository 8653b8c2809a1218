// One search of the program with one strategy: what the worker knows of it, what it does at the end of each execution, and what
// the search as a whole has covered.
#ifndef WORKER_SEARCHING_H
#define WORKER_SEARCHING_H

#include <stdbool.h>

#include "explore/search.h"
#include "job/job.h"
#include "worker/scout.h"

struct ledger;

// The part of a shared search that a worker has.
struct sharing {
    struct ledger *ledger; // null: the search is not shared
    bool begins;           // it has the whole search at first
    uint32_t unit;         // which it explores, or NO_UNIT
    uint32_t recent;       // the same, or the one it had before
    bool fresh;            // no execution of it has ended yet
    uint32_t wish;         // ledger.wish when it last told
    uint32_t last_seen;    // the unit that ends the search, when it was looked at
    bool counted;          // the next execution is, where they are bounded
};

struct worker {
    struct job *job;
    struct search search;
    struct sharing sharing;
    struct scout scout;
    double started, started_work; // by the clock, and in processor time
    int trace_fd;                 // or -1
    uint64_t tick;
    bool looked_at_states;    // whether they repeat
    uint64_t known[JOB_BUGS]; // signatures of the bugs that are kept
    uint64_t redundant;       // of searches before this one
    bool kept_steps;          // the steps of the execution at hand are kept, …
    uint32_t kept_start;      // … from here on, …
    uint32_t kept_count;      // … so many
    bool only_watching;       // what fails is none of its business
    bool matching;            // states are matched: what failed before one that is known counts all the same
    bool looks_briefly;       // of an execution in which nothing happens nobody wants to know more than that it ended
    bool any_order;           // one execution of the strategy stands for all that are equivalent to it
    bool shown_by_other;      // the execution at hand fails, and an equivalent one shows it, with the steps …
    struct step other[JOB_STEPS];
};

extern struct worker *the_worker; // for signal handlers, and where room runs out

// Tells the supervisor how far the search has come.
void searching_publish(struct worker *w);

// The execution at hand is one of those that are counted: notes how long it is.
void searching_measure(struct job *job);

// What the engine has to do differently for a strategy.
void searching_prepare(struct worker *w, enum strategy_kind strategy);

// Whether states count as equal in which threads that are alike have changed places.
bool searching_takes_kin_together(const struct worker *w);

// What strategies need to know of the task.
struct strategy_options searching_options(const struct worker *w);

// An execution has ended: what it showed, and whether the search goes on.
bool searching_leaf(void *worker, bool whole);

// Searches by states have to know every write to memory, and everything by which threads come to know of each other. Where
// that cannot be, executions are searched.
void searching_choose_without_states(struct worker *w);

// Runs the search, up to so many executions in all, and says in the answer how it ended.
void searching_run(struct worker *w, enum strategy_kind strategy, uint64_t most);
void searching_begin_recording(const struct worker *w);

#endif
