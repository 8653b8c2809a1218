// The interface between the search loop and a way of searching.
//
// A strategy picks who runs next, looks at each finished execution, and names the next one to start: a plan (steps to
// take from the beginning) of which the first `depth` are the same as in the execution just finished. It sees actors,
// pending operations and events; never what they are made of.
#ifndef EXPLORE_STRATEGY_H
#define EXPLORE_STRATEGY_H

#include <stdbool.h>
#include <stdint.h>

#include "model/step.h"
#include "model/target.h"

enum strategy_kind {
    // What a user can ask for; the first is the default.
    STRATEGY_OPTIMAL,
    STRATEGY_DPOR,
    STRATEGY_DFS,
    STRATEGY_BOUNDED,
    STRATEGY_PCT,
    STRATEGY_RANDOM,
    // What explanations and clients of objects need.
    STRATEGY_REPLAY,
    STRATEGY_GUIDED,
    STRATEGY_REFINED,
    STRATEGY_ATOMIC,
    STRATEGY_STATES,
    // Several of them, one after the other (supervise/phases.h).
    STRATEGY_PORTFOLIO,
    STRATEGY_PATIENT,
    STRATEGIES
};

// What a search that does not cover everything can still say for itself.
struct account {
    uint32_t bounds; // bounded: every execution with fewer preemptions than this was covered; NO_BOUND: every one
    uint32_t threads, length; // pct: the largest numbers of actors and of events, from which its probability follows …
    uint64_t runs;            // … and how many executions were drawn with these
    double outcomes; // pct: the most ways in which the choices of one execution could have been drawn, at least 1
    bool put_last;   // pct: a thread that did not get on was put last, so that the probability is not known
};

// The number of executions of a whole search, as it is estimated. What is asked stands first.
struct estimate {
    uint64_t done;                  // executions so far
    uint32_t max_steps;             // events in one execution
    bool planned;                   // `next` has named another execution, which has not begun
    double (*spent)(void *context); // how much of the time for it is over; asked after each execution. Ends at 1
    void *context;

    double total, least, most; // nine times out of ten it is between the last two; `most` may be infinite
    uint64_t executions;       // that were run for it
};

struct strategy {
    const char *name;
    struct target *target;
    struct exec *exec;

    // Who runs next and with which outcome; false if nothing can run any more.
    bool (*pick)(struct strategy *s, struct step *next);

    // An execution has ended. Says where the next one leaves this one (`depth` common events); false: nothing is owed.
    bool (*next)(struct strategy *s, uint32_t *depth);

    void (*free)(struct strategy *s);

    // Executions that were started and then cut off because an equivalent one had been seen. Of `replay`: the number of
    // the first step that could not be followed, counted from 1.
    uint64_t redundant;

    struct account account;

    // Estimates how many executions the whole search has, after one has ended. Runs some for that, so that the target is in
    // another state afterwards. False if nothing can be said. May be null.
    bool (*estimate)(struct strategy *s, struct estimate *estimate);
};

// What the strategies need to know of the user's wishes.
struct strategy_options {
    uint32_t root; // the first events are given and never taken back (see `prefix`)
    const struct step *prefix;
    uint32_t preemptions; // the most that `dfs` and `bounded` look at
    uint32_t depth;       // for `pct`: of the bugs to be found
    bool unlocks;         // for `refined`: letting go of a lock is a step in the schedule
    uint64_t seed;        // for `random` and `pct` …
    uint64_t runs;        // … how many executions to sample
    // For `states`: whether everything that can follow the present state has been tried, or is being tried; if not, it is
    // taken to be from now on. And whether races have to be looked for between steps that meet in a known state.
    bool (*known)(void *context);
    void *known_context;
    bool look_on;
};

// Every interleaving of visible operations, one after the other: the oracle. With a bound on preemptions it is
// `--preemptions`.
struct strategy *dfs_new(struct target *target, const struct strategy_options *options);

// Dynamic partial-order reduction of the seed 002 (Figure 2.1), with sleep sets and locksets, corrected.
struct strategy *dpor_new(struct target *target, const struct strategy_options *options);

// Exactly one execution per trace, in polynomial memory.
struct strategy *optimal_new(struct target *target, const struct strategy_options *options);

// Every trace of executions in which no block of the target (`goes_on`) is interrupted.
struct strategy *atomic_new(struct target *target, const struct strategy_options *options);

// Every interleaving, but from each state only once.
struct strategy *states_new(struct target *target, const struct strategy_options *options);

// Uniform choice among what can run.
struct strategy *random_new(struct target *target, const struct strategy_options *options);

// Every execution without a preemption, then every one with one, with two, … up to the bound or to the end.
struct strategy *bounded_new(struct target *target, const struct strategy_options *options);

// Probabilistic concurrency testing: random priorities with a few random changes.
struct strategy *pct_new(struct target *target, const struct strategy_options *options);

// One given schedule, and then whoever ran last for as long as it can.
struct strategy *replay_new(struct target *target, const struct strategy_options *options);

// The same, but what cannot be followed in its place is put off, so that the steps after it still mean something.
struct strategy *guided_new(struct target *target, const struct strategy_options *options);

// The same for a schedule without minor steps (op_is_minor), where they are steps: each is taken where it was part of another.
struct strategy *refined_new(struct target *target, const struct strategy_options *options);

// What others need to know of a strategy: one row each, by kind.
struct strategy_traits {
    const char *name;
    struct strategy *(*make)(struct target *target, const struct strategy_options *options); // null: made of others
    const char *samples;       // why it never covers everything, if it draws executions; null if it does not
    bool any_order;            // one execution stands for all that are equivalent to it
    bool joins_late;           // who can join goes on when somebody needs it (target.settle)
    bool estimates;            // it can say how much of the search is done
    bool counts_preemptions;   // each turn of a thread is a step, so that their number is exact
    bool follows_schedule;     // runs one given schedule
    bool counts_what_it_drops; // executions that it gives up half-way are among those it counts
};
extern const struct strategy_traits strategy_table[STRATEGIES];

// The strategy of this name, or null.
struct strategy *strategy_named(const char *name, struct target *target, const struct strategy_options *options);

static inline struct strategy *strategy_new(enum strategy_kind kind, struct target *target,
                                            const struct strategy_options *options)
{
    return strategy_table[kind].make(target, options);
}

enum { NO_BOUND = UINT32_MAX, PCT_MOST_DEPTH = 32 };

// Helpers shared by strategies.

// Whether the actor is parked and its operation would go through.
static inline bool can_run(const struct strategy *s, uint32_t actor)
{
    return exec_is_parked(s->exec, actor) && s->target->ready(s->target, actor);
}

// The lowest-numbered actor that can run, those that only wait to join another last; -1 if none.
int lowest_ready(const struct strategy *s);

// The usual choice: the actor of the last event if it can go on, otherwise lowest_ready.
static inline int usual_choice(const struct strategy *s)
{
    const struct exec *x = s->exec;
    if (x->under_way) {
        uint32_t last = x->under_way - 1;
        if (can_run(s, last) && x->actors[last].pending.kind != OP_JOIN)
            return (int)last;
    }
    return lowest_ready(s);
}

#endif
