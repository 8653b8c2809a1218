// The task: what the supervisor asks of a worker. A job that is to do the same as another has its task assigned.
#ifndef JOB_TASK_H
#define JOB_TASK_H

#include <stdint.h>

#include "check/bug.h"
#include "explore/strategy.h"
#include "job/rules.h"

enum { JOB_PATH = 1024, ALLOWED = 8 };

enum symmetry_mode { SYMMETRY_AUTO /* in searches by states */, SYMMETRY_ON, SYMMETRY_OFF };

enum output_mode { OUTPUT_FAILING, OUTPUT_NONE, OUTPUT_ALL };

// What the program finds outside its own code, and may do there.
struct surroundings {
    char allowed[ALLOWED][JOB_PATH]; // directories in which the program may change files for good
    char kept[ALLOWED][JOB_PATH];    // files and folders that it reads as they were when the search began …
    char kept_at[ALLOWED][JOB_PATH]; // … from these copies
    char input[JOB_PATH];            // what it finds on its standard input, from the beginning in each execution …
    char input_at[JOB_PATH];         // … in this copy; empty: nothing
    char directory[JOB_PATH];        // its working directory; empty: where heddle runs
    char trusted[JOB_PATH];          // functions and libraries that do no harm, as the user says, separated by commas
    char test[JOB_PATH];             // the test that is wanted of a program with a test framework, or empty
};

struct task {
    struct rules rules;
    struct surroundings outside;

    // The search, and its bounds.
    enum strategy_kind strategy;
    uint64_t max_executions;
    uint32_t workers, worker; // how many share the search (0 and 1: none), and which of them this is
    uint32_t helpers;         // how many it may fork to search states with it (worker/helpers.h)
    int32_t ledger_fd;        // what they share (spread/ledger.h), or -1 …
    uint64_t ledger_bytes;    // … and how long it is
    int32_t
        exchange_fd; // what it says to processes on other machines that search states with it (model/state_exchange.h), or -1
    uint32_t max_steps;
    uint32_t most_steps;  // the same for a phase that searches states; 0: as max_steps
    uint32_t only_states; // if states cannot be searched, nothing is (JOB_TOO_LARGE)
    double repeats_after; // stop early (JOB_TOO_LARGE) if states hardly repeat after so many seconds; 0: do not look
    double
        instead_of; // … or if they repeat too rarely to take the place of a search of so many seconds; 0: do not look
    uint32_t patient; // no bound is given on the time, and if this search is given up states are searched
    double seconds;   // 0: no bound
    uint64_t
        crowd_after; // stop early (JOB_TOO_LARGE) after so many executions if there is a crowd (likeness.h); 0: never
    uint32_t
        slice; // somebody else goes on with what is left, and with what was learnt; nobody wants to know how much that is
    double hopeless_after; // stop early (JOB_TOO_LARGE) if the estimate says that it takes longer than this; 0: never
    uint32_t scouts;       // executions look around before the search and in between (worker/scout.h)
    uint32_t scouts_long;  // … and for longer, once it is not small
    double seconds_if_cut; // the same bound, from the first execution on that is cut at max_steps; 0: none
    uint64_t memory;       // bytes for the table of states; 0: no bound
    uint32_t only_races;   // leave out what shows no race (explore/subspace.h)
    uint32_t symmetry;     // enum symmetry_mode: whether threads that are alike may change places
    uint32_t audit_states; // look by samples whether equal states go on in the same way
    uint32_t preemptions;
    uint32_t depth; // of the bugs that pct looks for
    uint64_t seed;
    uint32_t keep_going;
    uint32_t prefix_steps; // given steps at the start of job.steps: the root of the search, or the run to replay
    uint32_t round;        // `replay`: the run comes back to the state after so many events less one; 0: it need not
    uint32_t turns;        // each turn is a step: so it is wherever preemptions are counted
    uint32_t major_steps;  // … but not in schedules that are kept: in those only what is a step elsewhere, too
    uint32_t plain;        // the program was not built by heddle: its calls are seen, and nothing else
    uint32_t bare;         // benchmark: repeat the first execution, without bookkeeping
    uint32_t undo_check;   // enum audit_mode: how often what undo left is compared with a fresh run
    uint32_t tail;         // enum tail_mode: whether main's end is remembered, or run each time
    uint32_t guard;        // repeat executions from time to time, to see whether they are the same

    // What earlier searches of the same check found (it stands in `bug` and `steps`).
    uint32_t bugs_before, steps_before;
    uint64_t executions_before;

    // What is to be told.
    uint32_t shown;         // somebody watches how it gets on
    uint32_t ask;           // let the supervisor rule whether a bug ends the search
    uint32_t output;        // enum output_mode
    uint32_t only_wanted;   // stop at the bug `wanted` only, and do not record others
    uint32_t unless_wanted; // stop at the first execution that comes to its end without it
    struct bug wanted;
    uint32_t real; // on real threads, for a debugger, stopping at the failure `expected`, which has the text to show
    struct bug expected;
    int32_t trace_fd; // record the run there, or -1
    int32_t runs_fd;  // write executions there for the search for root causes (model/runs.h), or -1

    char place[JOB_PATH], place_from[JOB_PATH]; // the private working directory and what it is a copy of, or empty
};

#endif
