// The answer: what a worker says of its search, while it is under way and at its end.
#ifndef JOB_ANSWER_H
#define JOB_ANSWER_H

#include <stdint.h>

#include "check/bug.h"
#include "explore/strategy.h"
#include "model/death.h"
#include "model/difference.h"

enum { JOB_BUGS = 256, JOB_NOTES = 32, JOB_NOTE_TEXT = 240, UNSEEN_CALLS = 4 };

// Why a search ended.
enum job_end {
    JOB_RUNNING, // still at it, or it died
    JOB_DONE,    // every execution was covered
    JOB_BUG,     // stopped at the first bug
    JOB_EXECUTIONS,
    JOB_TIME,
    JOB_TOO_LARGE, // it would not have come to an end in time
    JOB_INTERRUPTED,
    JOB_UNSUPPORTED, // the program did something heddle cannot follow: see `reason`
    JOB_STUCK,       // a thread ran on without ever reaching a visible operation: see `reason`
    JOB_AGAIN,       // something was learnt about the program: start the same job in a fresh process
    JOB_DIVERGED     // an execution did not follow its schedule: see `reason`
};

struct job_bug {
    struct bug bug;
    uint64_t execution;            // how many had been run when it was found
    uint32_t client;               // which of the batch showed it
    uint32_t unit;                 // of a search that workers share: where it was found (spread/ledger.h)
    uint64_t in_unit;              // … and how many executions of that unit there were by then
    uint32_t racy;                 // how many words were visible as racy by then
    uint32_t follows;              // how many failures of that run it may follow from, whether they are kept or not …
    uint64_t after[JOB_BUGS / 64]; // … and those that are: a bit for each, by their numbers here
    uint32_t turns;                // its schedule has a step for each turn (task.h)
    uint32_t unlocks;              // letting go of a lock is more than a minor step: see `unlock_visible`
    uint32_t steps, start;         // its schedule: `steps` entries of job.steps from `start`
};

struct job_call {
    char name[128], library[64];
    uint64_t pc;
};

// An estimate, each from 0 to 1; `likely` is negative if there is none. It is between the others nine times out of ten.
struct share {
    volatile double likely, least, most;
    double looked; // seconds after the beginning of the search at which it was made
};

static const struct share share_unknown = {.likely = -1};

// What took the place of the strategy that was asked for.
enum strategy_change {
    CHANGED_NOT,
    CHANGED_OPTIMAL, // `dpor` that of `optimal`
    CHANGED_STATES,  // a search of executions that of one by states
    CHANGED_LONG,    // one by states that of a search of executions, which would take too long
    CHANGED_ENDLESS, // the same, where executions are cut at the bound on steps
    CHANGED_CROWD,   // the same, where threads are alike
    CHANGED_RF,      // `optimal` that of `rf`
    CHANGED_BACK,    // a search of executions that of one by states, which had taken its place for a while
    CHANGED_UNKNOWN  // the same, where nothing could be searched by states
};

// Of one attempt; of several phases, their sums.
struct counts {
    volatile uint64_t executions, blocked, events, redundant, cut;
};

// What was sampled while a search was interrupted (worker/scout.h).
struct sampled {
    uint64_t executions, events;
    double seconds;
    struct account account;
};

struct answer {
    volatile uint32_t end; // enum job_end
    struct counts counts;
    struct counts elsewhere;     // executions before the search, and of samples in between
    enum strategy_kind found_by; // what ran when the job ended
    struct sampled sampled;
    volatile uint64_t finished; // executions that came to their end, or to where threads only go round for ever
    volatile uint32_t assumed;  // an execution was cut short by a false assumption
    volatile uint64_t beats;    // grows as long as the worker gets on
    volatile uint32_t deepest;  // longest execution
    struct share share;         // of all executions, how much is done
    struct account account;     // what can be said without having covered everything
    double run_seconds;
    double worked;             // processor seconds of the search itself, without samples
    uint32_t strategy_changed; // enum strategy_change
    uint32_t crowd;            // given up since there is one (task.crowd_after)
    uint32_t workers;          // that shared it
    char alone[96];            // why it was one although more were asked for, or empty
    uint32_t restart_used;     // enum restart_mode
    uint32_t turns_used;       // each turn was a step
    uint32_t preemptions_seen; // of the one execution, up to the wanted failure: `replay`, `guided` and `refined`
    uint32_t escaped;          // unless_wanted: an execution ended otherwise
    uint32_t endless;          // some execution goes round for ever, and was followed for one round
    char reason[512];
    uint64_t alike[MAX_ACTORS /
                   64]; // children of main that took the places of others in some state: a bit for each, from T1 on
    uint64_t unlike_at; // memory that is ignored, and made equal states go on in different ways; 0: none
    struct death death; // of heddle's own code
    struct difference difference; // JOB_DIVERGED: where an execution first went another way than before
    uint64_t cut_pc;              // where an actor stood when an execution was cut at max_steps
    uint32_t cut_actor;
    uint64_t base, program_size; // what addresses in the program are more than those in its file; bytes from there
    uint32_t waits;              // some thread waits on a condition variable
    uint32_t weak_orders;        // some atomic access asks for less than sequential consistency
    uint32_t foreign;            // parts of the program were not compiled by heddle cc
    char unlogged_by[64];        // what may write to memory without heddle's knowing, or empty
    uint32_t unseen_calls;       // functions that were called although heddle does not know what they do to memory
    struct job_call unseen_call[UNSEEN_CALLS]; // the first of them
    uint32_t notes;
    char note[JOB_NOTES][JOB_NOTE_TEXT]; // assumptions behind the verdict, each a sentence
    // Plain accesses to words where these are steps, with other threads there: whether there was a write, or reads in more
    // places than there is room for; and the places.
    uint32_t wrote_plainly, plain_reads;
    uint64_t plain_read[16];
    uint32_t status_seen; // some execution ended with this status, which is not 0
    uint32_t dropped;     // failures for which there was no room
    uint32_t bugs;
    struct job_bug bug[JOB_BUGS];
};

#endif
