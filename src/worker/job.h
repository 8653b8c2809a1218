// What the supervisor (the heddle command) and a worker (the program under test) share: one block of shared memory,
// written by the supervisor before the worker starts, by the worker until it ends.
#ifndef WORKER_JOB_H
#define WORKER_JOB_H

#include <stdint.h>

#include "check/bug.h"
#include "explore/strategy.h"
#include "model/blocks.h"
#include "model/client.h"
#include "model/death.h"
#include "model/difference.h"
#include "model/dynamic.h"
#include "model/missed.h"

// Environment: the number of the inherited file descriptor, or the path of a job that can be run several times. (In
// target/threads: CONTROL_VARIABLE.)
#define JOB_VARIABLE "HEDDLE_JOB"

enum { JOB_MAGIC = 0x68656407, JOB_BUGS = 256, JOB_STEPS = 1 << 20, JOB_NOTES = 32, JOB_NOTE_TEXT = 240, JOB_PATH = 1024, ALLOWED = 8, UNSEEN_CALLS = 4, RACY_WORDS = 2048, TOLERATED_SLOTS = 1 << 15 };

enum race_mode { RACES_REPORT, RACES_EXPLORE, RACES_OFF };
enum output_mode { OUTPUT_FAILING, OUTPUT_NONE, OUTPUT_ALL };
enum restart_mode { RESTART_AUTO, RESTART_UNDO, RESTART_REPLAY, RESTART_VERIFY, RESTART_FORK, RESTART_CHECKPOINT };

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

// What heddle no longer relies on for this program, since an execution that was run again was another one.
enum distrust {
    DISTRUST_NOTHING,
    DISTRUST_UNDO,  // the log of writes: executions are run again from the beginning of main
    DISTRUST_MEMORY // and the image: each runs in a process of its own
};

struct job_thread { // who an actor is, in every execution: the number-th child of parent
    uint32_t parent, number;
};

struct job_bug {
    struct bug bug;
    uint64_t execution;    // how many had been run when it was found
    uint32_t client;       // which of the batch showed it
    uint32_t racy;         // how many words were visible as racy by then
    uint32_t follows;      // how many failures of that run it may follow from, whether they are kept or not …
    uint64_t after[JOB_BUGS / 64]; // … and those that are: a bit for each, by their numbers here
    uint32_t turns;        // its schedule has a step for each turn (engine.h)
    uint32_t unlocks;      // letting go of a lock is more than a minor step: see `unlock_visible`
    uint32_t steps, start; // its schedule: `steps` entries of job.steps from `start`
};

// What the search of a program has to know of it, and learns by running it.
struct lessons {
    uint32_t unlock_visible, mixed, crowded, shares, rounds_seen;
    uint32_t needs_fork, needs_place; // a process for each execution, a private working directory
    uint32_t long_prefix;             // events that were to be repeated, if that is why
    uint32_t distrust;                // enum distrust
    struct missed missed;             // the write that undo missed, if that is why
    char unlogged[64];                // a function that changes what the log of writes does not have, or empty
    char outside_call[64];            // what it did that needs that, and where
    uint64_t outside_pc;
    struct dynamic_lesson dynamic;    // libraries that it opens
    uint32_t merged_count;
    uint64_t merged[256];
    uint32_t racy_count;
    uint64_t racy[RACY_WORDS]; // words whose plain accesses are visible
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

struct job {
    uint32_t magic;
    uint32_t size;

    // The task.
    enum strategy_kind strategy;
    uint64_t max_executions;
    uint32_t max_steps;
    double seconds; // 0: no bound
    uint32_t shown; // somebody watches how it gets on
    double hopeless_after; // stop early (JOB_TOO_LARGE) if the estimate says that it takes longer than this; 0: never
    uint32_t preemptions;
    uint32_t depth; // of the bugs that pct looks for
    uint64_t seed;
    uint32_t keep_going, leaks, reuse;
    uint32_t status_matters; // the process must end with the status 0
    uint32_t fill; // enum fill: what fresh memory holds
    uint32_t spurious; // wake-ups without a signal that a thread may have
    uint32_t ask;     // let the supervisor rule whether a bug ends the search
    uint32_t tell_apart; // races on the same memory by their places, too: one that is tolerated must not hide another
    uint32_t outlives_all; // whoever misuses a call goes on (schedules of runs in which some did)
    uint32_t races;   // enum race_mode
    uint32_t restart; // enum restart_mode
    uint32_t undo_check; // enum audit_mode: how often what undo left is compared with a fresh run
    uint32_t guard;   // repeat executions from time to time, to see whether they are the same
    uint32_t output;  // enum output_mode
    char allowed[ALLOWED][JOB_PATH]; // directories in which the program may change files for good
    char directory[JOB_PATH];        // its working directory; empty: where heddle runs
    char trusted[JOB_PATH];          // functions and libraries that do no harm, as the user says, separated by commas
    uint32_t plain;   // the program was not built by heddle: its calls are seen, and nothing else
    uint32_t bare;    // benchmark: repeat the first execution, without bookkeeping
    uint32_t turns;         // each turn is a step: so it is wherever preemptions are counted
    uint32_t major_steps;   // … but not in schedules that are kept: in those only what is a step elsewhere, too
    uint32_t only_wanted;   // stop at the bug `wanted` only, and do not record others
    uint32_t unless_wanted; // stop at the first execution that comes to its end without it
    struct bug wanted;
    uint32_t real;         // on real threads, for a debugger, stopping at the failure `expected`, which has the text to show
    struct bug expected;
    int32_t trace_fd;      // record the run there, or -1
    int32_t runs_fd;       // write executions there for the search for root causes (model/runs.h), or -1
    struct lessons learnt; // by earlier attempts (JOB_AGAIN); kept from one to the next
    char place[JOB_PATH], place_from[JOB_PATH]; // the private working directory and what it is a copy of, or empty
    // What earlier searches of the same check found (they stand in `bug` and `steps`).
    uint32_t bugs_before, steps_before;
    uint64_t executions_before;
    uint32_t prefix_steps; // given steps at the start of `steps`: the root of the search, or the run to replay
    uint32_t threads;      // identities of the actors that the given steps name
    struct job_thread thread[MAX_ACTORS];
    struct block_job blocks;  // not to be interrupted: strategy `atomic`
    struct client_job client; // the program is an object to be called by clients

    // The answer.
    volatile uint32_t interrupt; // the supervisor asks to stop
    volatile uint32_t end;       // enum job_end
    volatile uint32_t asked;     // the worker waits until this many bugs are ruled on
    volatile uint32_t ruled;     // so many are
    volatile uint64_t executions, blocked, events, redundant, cut;
    volatile uint64_t finished;   // executions that came to their end, or to where threads only go round for ever
    volatile uint32_t assumed;    // an execution was cut short by a false assumption
    volatile uint64_t beats;      // grows as long as the worker gets on
    volatile uint32_t deepest;    // longest execution
    struct share share;           // of all executions, how much is done
    struct account account;       // what can be said without having covered everything
    double run_seconds;
    uint32_t strategy_changed;    // `dpor` took the place of `optimal`
    uint32_t restart_used;        // enum restart_mode
    uint32_t turns_used;          // each turn was a step
    uint32_t preemptions_seen;    // of the one execution, up to the wanted failure: `replay`, `guided` and `refined`
    uint32_t escaped;             // unless_wanted: an execution ended otherwise
    uint32_t endless;             // some execution goes round for ever, and was followed for one round
    char reason[512];
    struct death death;           // of heddle's own code
    struct difference difference; // JOB_DIVERGED: where an execution first went another way than before
    uint64_t cut_pc;              // where an actor stood when an execution was cut at max_steps
    uint32_t cut_actor;
    uint64_t base, program_size;  // what addresses in the program are more than those in its file; bytes from there
    uint32_t waits;               // some thread waits on a condition variable
    uint32_t weak_orders;         // some atomic access asks for less than sequential consistency
    uint32_t foreign;             // parts of the program were not compiled by heddle cc
    char unlogged_by[64];         // what may write to memory without heddle's knowing, or empty
    uint32_t unseen_calls;        // functions that were called although heddle does not know what they do to memory
    struct job_call unseen_call[UNSEEN_CALLS]; // the first of them
    uint32_t notes;
    char note[JOB_NOTES][JOB_NOTE_TEXT]; // assumptions behind the verdict, each a sentence
    // Plain accesses to words where these are steps, with other threads there: whether there was a write, or reads in more
    // places than there is room for; and the places.
    uint32_t wrote_plainly, plain_reads;
    uint64_t plain_read[16];
    uint32_t status_seen; // some execution ended with this status, which is not 0
    uint32_t dropped; // failures for which there was no room
    uint32_t tolerated; // failures that are (worker/tolerated.h)
    uint32_t outlived;  // and are misuses of calls, after which the program goes on
    uint64_t tolerated_signature[TOLERATED_SLOTS];
    uint32_t bugs;
    struct job_bug bug[JOB_BUGS];

    // The schedule under way, for the supervisor to read if the worker dies.
    volatile uint32_t current_steps;

    uint32_t steps_used; // of `steps`: the given ones, then those of the bugs
    struct step current[JOB_STEPS];
    struct step steps[JOB_STEPS];
};

#endif
