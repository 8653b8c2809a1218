// The interface between the search loop and a way of searching.
//
// A strategy picks who runs next, looks at each finished execution, and names the next one to start: a plan (steps to
// take from the beginning) of which the first `depth` are the same as in the execution just finished. It sees actors,
// pending operations and events; never what they are made of.
#ifndef EXPLORE_STRATEGY_H
#define EXPLORE_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/fingerprint.h"
#include "model/journal.h"
#include "model/step.h"
#include "model/target.h"
#include "model/waypoint.h"

enum strategy_kind {
    STRATEGY_OPTIMAL, // the default
    STRATEGY_DPOR,
    STRATEGY_DFS,
    STRATEGY_BOUNDED,
    STRATEGY_PCT,
    STRATEGY_RANDOM,
    STRATEGY_POS,
    STRATEGY_FUZZ,
    STRATEGY_SAMPLE,
    STRATEGY_STATES,
    STRATEGY_SPOR,
    STRATEGY_DLSPOR,
    STRATEGY_SDPOR,
    STRATEGY_RF,
    STRATEGY_DDPOR,
    STRATEGY_DDPOR_AGGRESSIVE,
    // What only explanations and clients of objects need.
    STRATEGY_REPLAY,
    STRATEGY_GUIDED,
    STRATEGY_REFINED,
    STRATEGY_ATOMIC,
    STRATEGY_CLIENT_STATES,
    STRATEGY_WISHFUL,
    // Several of them, one after the other (supervise/phases.h).
    STRATEGY_PORTFOLIO,
    STRATEGY_PATIENT,
    STRATEGIES
};

enum { KIN = MAX_ACTORS }; // numbers of kin begin there: those below are actors

enum { SAMPLERS = 4 }; // random, pct, pos, fuzz

// What a search that does not cover everything can still claim.
struct account {
    uint64_t judged, pruned; // subspaces that were asked for races, and those left out since they have none
    uint32_t bounds; // bounded: every execution with fewer preemptions than this was covered; NO_BOUND: every one
    uint32_t threads, length; // pct: the largest numbers of actors and of events, from which its probability follows …
    uint64_t runs;            // … and how many executions were drawn with these
    double outcomes; // pct: the most ways in which the choices of one execution could have been drawn, at least 1
    uint64_t sampled, drawn[SAMPLERS]; // sample: executions in all, and of each sampler …
    uint64_t pairs, pairs_once;        // … reads-from pairs that they showed, and those shown by one of them only …
    uint64_t traces, traces_once, traces_twice; // … and traces
    bool overflowed;                            // there was no room for more traces
    bool put_last;              // pct: a thread that did not get on was put last, so that the probability is not known
    uint64_t states, forgotten; // searches by states: how many were entered, and had to be forgotten
    double stood_for;        // how many they stand for, with those in which actors that are alike have changed places
    uint64_t left_to_others; // dfs: steps that were not tried, since others did the same for actors that are alike
    uint64_t state_bytes;    // of memory that the table of states takes
    uint64_t known;          // steps that led to a state which was known
    uint64_t most_open;      // states that were open at the same time
    uint64_t endless;        // components of states from which no end can be reached
    uint64_t audited;        // samples of whether equal states go on alike …
    bool unlike;             // … some do not, …
    uint64_t unlike_in;      // … with other contents of these ranges of memory that is ignored
    bool by_traces;          // rf: there is something that it does not understand, so that traces were searched
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

struct search_part;    // explore/search_part.h
struct closed_states;  // explore/closed_states.h
struct state_exchange; // model/state_exchange.h

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

    // Of `optimal`, by `next`: branches that were owed when the execution had ended, and those left when the next one was taken.
    uint32_t owed, left;

    // Set by `next` and `take`: the first event of the next execution that does not only repeat what another one did, plus 1; 0: it
    // is where the target goes back to.
    uint32_t anew;

    // The execution at hand came back to the state after so many events less one, and nothing that can follow is an end;
    // 0: it did not.
    uint32_t round;

    // Estimates how many executions the whole search has, after one has ended. Runs some for that, so that the target is in
    // another state afterwards. False if nothing can be said. May be null.
    bool (*estimate)(struct strategy *s, struct estimate *estimate);

    // Gives away the part of what is owed that would come last; false if there is none, or no room for it. Asked when an execution
    // has ended.
    bool (*give)(struct strategy *s, struct search_part *part, size_t room);

    // Makes a part of all that is owed, and goes on owing it; false if there is no room for it. Asked when an execution has ended.
    bool (*keep)(struct strategy *s, struct search_part *part, size_t room);

    // Begins with a part, where nothing is owed and the target is at its beginning. False if the part turns out to have nothing in
    // it. All three may be null.
    bool (*take)(struct strategy *s, const struct search_part *part);
};

// What the strategies need to know of the user's wishes.
struct strategy_options {
    uint32_t root; // the first events are given and never taken back (see `prefix`)
    const struct step *prefix;
    uint32_t preemptions; // the most that `dfs` and `bounded` look at
    uint32_t depth;       // for `pct`: of the bugs to be found
    bool unlocks;         // for `refined`: letting go of a lock is a step in the schedule
    uint64_t seed;        // for those that sample …
    uint64_t runs;        // … how many executions to sample
    struct pairs *pairs;  // for `fuzz`: what was covered already; null: nothing …
    uint32_t quiet;       // … and it ends when so many executions showed nothing new; 0: it does not
    // For `client states`: whether everything that can follow the present state has been tried, or is being tried; if not, it is
    // taken to be from now on.
    bool (*known)(void *context);
    void *known_context;
    // For `wishful`: what is wished, and where a parked actor stands: the place in its code and the address that it is about.
    struct wish_job *wishes;
    bool (*standing)(void *context, uint32_t actor, uint64_t *pc, uint64_t *address);
    struct journal *journal; // for `dpor`: leave out what has no race (subspace.h); null: leave out nothing
    // For `states`, `spor` and `dlspor`: what the present state is, and how many bytes the table of states may take (0: any).
    void (*state)(void *context, struct fingerprint *state);
    void *state_context;
    // The same where actors that are alike are told apart; null: they always are.
    void (*exact_state)(void *context, struct fingerprint *state);
    // Actors that may take each other's places in equal states are of one kin; null: each is alone. Whom an operation stands for
    // then, and which object: the same for all that it may turn into.
    void (*kin)(void *context, uint32_t *actor, uint32_t *object);
    // For those and `dfs`: tells for each actor the lowest one that it is exactly like now, which is itself mostly: if both changed places
    // the state would be the same. May be null.
    void (*likes)(void *context, uint16_t *lowest);
    double (*counterparts)(void *context); // states that the newest one stands for, with itself; may be null
    uint64_t memory;
    // Whether more belongs to states than when it was last asked: then those that are kept say nothing. May be null.
    bool (*grown)(void *context);
    // If not null, samples are taken of whether equal states go on in the same way (state_audit.h); tells what each of at most
    // 64 ranges of memory that is no part of states holds.
    void (*ignored)(void *context, uint64_t *digests);
    // For a search by states that processes share (closed_states.h); null: nobody else takes part. How much belongs to states now; who else
    // takes part from now on: asked between executions, and in a process that has just been forked it tells its number, from 1 on, otherwise
    // 0; and how many executions have ended so far, waiting and otherwise.
    struct closed_states *closed;
    uint32_t (*age)(void *context);
    uint32_t (*spread)(void *context);
    // Processes on other machines take part (far_states.h); null: none. What belongs to states, as they would say it; one of them has
    // found that this does, too: whether that is news; and a moment passes: whether the search is to go on.
    struct state_exchange *exchange;
    uint64_t (*digest)(void *context);
    bool (*hear)(void *context, uint64_t what);
    bool (*pause)(void *context);
    const volatile uint64_t *blocked, *finished;
};

// Every interleaving of visible operations, one after the other: the oracle. With a bound on preemptions it is
// `--preemptions`.
struct strategy *dfs_new(struct target *target, const struct strategy_options *options);

// Dynamic partial-order reduction of the seed 002 (Figure 2.1), with sleep sets and locksets, corrected.
struct strategy *dpor_new(struct target *target, const struct strategy_options *options);

// Distributed dynamic partial-order reduction of the same seed, with the backtrack sets of Figure 2.1, and with those of Figure 6.9.
struct strategy *ddpor_new(struct target *target, const struct strategy_options *options);
struct strategy *ddpor_aggressive_new(struct target *target, const struct strategy_options *options);

// Exactly one execution per trace, in polynomial memory.
struct strategy *optimal_new(struct target *target, const struct strategy_options *options);

// One execution for all in which each thread looks at the same writes.
struct strategy *rf_new(struct target *target, const struct strategy_options *options);

// Every trace of executions in which no block of the target (`goes_on`) is interrupted.
struct strategy *atomic_new(struct target *target, const struct strategy_options *options);

// Every state once; with less and less of what is equivalent (states.c).
struct strategy *states_new(struct target *target, const struct strategy_options *options);
struct strategy *spor_new(struct target *target, const struct strategy_options *options);
struct strategy *dlspor_new(struct target *target, const struct strategy_options *options);
struct strategy *sdpor_new(struct target *target, const struct strategy_options *options);

// Every interleaving of a client's calls, but from each state only once.
struct strategy *client_states_new(struct target *target, const struct strategy_options *options);

// Uniform choice among what can run.
struct strategy *random_new(struct target *target, const struct strategy_options *options);

// Every execution without a preemption, then every one with one, with two, … up to the bound or to the end.
struct strategy *bounded_new(struct target *target, const struct strategy_options *options);

// Probabilistic concurrency testing: random priorities with a few random changes.
struct strategy *pct_new(struct target *target, const struct strategy_options *options);

// Partial order sampling: random priorities of operations.
struct strategy *pos_new(struct target *target, const struct strategy_options *options);

// Executions made from earlier ones in which reads saw something new.
struct strategy *fuzz_new(struct target *target, const struct strategy_options *options);

// All of these in turns: each as often as it still shows something new.
struct strategy *sample_new(struct target *target, const struct strategy_options *options);

// One given schedule, and then whoever ran last for as long as it can.
struct strategy *replay_new(struct target *target, const struct strategy_options *options);

// The same, but what cannot be followed in its place is put off, so that the steps after it still mean something.
struct strategy *guided_new(struct target *target, const struct strategy_options *options);

// The same for a schedule without minor steps (op_is_minor), where they are steps: each is taken where it was part of another.
struct strategy *refined_new(struct target *target, const struct strategy_options *options);

// One execution in which some operations come in a wished order.
struct strategy *wishful_new(struct target *target, const struct strategy_options *options);

enum { STRATEGY_FOR_PROGRAMS = 1, STRATEGY_FOR_CLUSTERS = 2 };

// What others need to know of a strategy: one row each, by kind.
struct strategy_traits {
    const char *name;
    unsigned offered; // where the user can ask for it: STRATEGY_FOR_PROGRAMS, STRATEGY_FOR_CLUSTERS
    struct strategy *(*make)(struct target *target, const struct strategy_options *options); // null: made of others
    const char *samples;       // why it never covers everything, if it draws executions; null if it does not
    bool any_order;            // one execution stands for all that are equivalent to it
    bool joins_late;           // who can join goes on when somebody needs it (target.settle)
    bool estimates;            // it can say how much of the search is done
    bool counts_preemptions;   // each turn of a thread is a step, so that their number is exact
    bool follows_schedule;     // runs one given schedule
    bool matches_states;       // it asks for states (strategy_options.state)
    bool counts_what_it_drops; // executions that it gives up half-way are among those it counts
    bool divides;              // it can give parts away (strategy.give)
};
extern const struct strategy_traits strategy_table[STRATEGIES];

// Those that `sample` chooses among, in the order of account.drawn.
extern const enum strategy_kind sampler_kinds[SAMPLERS];

// The strategy of this name that is offered there; STRATEGIES if there is none.
enum strategy_kind strategy_by_name(const char *name, unsigned offered);

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
