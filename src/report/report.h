// What the commands hand to the report layer: the outcome of a search, with the bugs it found.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job/job.h"

// After the decisive event every continuation has this failure; before it some comes to its end without it.
enum decisive {
    DECISIVE_UNKNOWN, // was not looked for
    DECISIVE_PROVEN,
    DECISIVE_NOT_PROVEN, // after this event every continuation has it; an earlier one may decide
    DECISIVE_ALWAYS,     // every run has it: no event decides
    DECISIVE_NONE,       // after each event some continuation ends otherwise
    DECISIVE_UNDECIDED   // nothing was found out in the time for it
};

struct report_bug {
    const struct job_bug *bug;
    const char *trace_path;    // the recorded run; null: a short report without a table
    const char *schedule_path; // what replays it; null if it was not kept
    uint32_t preemptions;
    bool unshrunk; // nobody looked for fewer
    bool minimal;  // no failing run has fewer preemptions
    enum decisive decisive;
    uint32_t decisive_event;
    const char *output;   // what the program printed in the run, or null
    const char *identity; // the bug's words (report/bug_identity.h) and their fingerprint; null if unknown
    uint64_t fingerprint;
    struct report_bug *followers; // failures that came after it, and may well come of it: …
    size_t follower_count;
    bool elsewhere; // … such a one was seen in another run than the one that is shown
};

// A bug that does not fail the check.
struct report_tolerated {
    uint32_t kind;                         // enum bug_kind
    bool known;                            // by the baseline; otherwise suppressed
    const char *rule;                      // the suppression
    const char *identity, *message, *file; // file: null if unknown
    int line;
    uint64_t fingerprint;
};

// Directives that would mend the races of an OpenMP program, and were checked.
struct report_proposal {
    const char *sentence; // which, and where
    const char *checked;  // what was found of the program with them
    const char *patch;    // a unified diff; null: nothing is proposed
    bool verified;        // no interleaving fails then; otherwise none of those that were tried
};

// One of the searches that were made, one after the other.
struct report_phase {
    enum strategy_kind strategy;
    struct counts counts;
    uint32_t depth, max_steps;
    uint32_t longest; // execution
    uint32_t end;     // enum job_end
    double seconds;
    struct share share;
    struct account account;
    uint64_t scouts;     // executions that looked around before it
    bool crowd;          // given up since threads run one function
    bool unknown_states; // it was to search states, and did nothing, since they cannot be known
};

struct report_summary {
    const char *program;
    const char *test;    // one test of the program; null: all of it
    const char *verdict; // "verified", "tolerated", "bug", "incomplete", or "error": it could not be checked
    const struct job *job;
    const char *restart_reason; // why executions were started again in this way, or null
    const char *reason;         // incomplete or error: a sentence that says what stopped it; may be null
    const char *const *assumptions;
    size_t assumption_count;
    const struct report_phase *phases;
    size_t phase_count;
    const struct report_phase *history; // all that was searched, also where the last phase alone is what counts …
    size_t history_count;               // … and is told only if the user asks for it: 0 otherwise
    struct report_bug *bugs;
    size_t bug_count;
    const struct report_tolerated *tolerated;
    size_t tolerated_count;
    struct report_proposal proposal;
    bool stacks; // call stacks are shown whole, with the functions of libraries
    double seconds;
    const char *executable; // where names come from; may be null
    const char *heddle;     // version of the tool; may be null
};

// The verdicts, from the best to the worst; the worst of several tests is that of all.
enum report_verdict {
    VERDICT_VERIFIED,
    VERDICT_TOLERATED,
    VERDICT_INCOMPLETE,
    VERDICT_BUG,
    VERDICT_ERROR,
    REPORT_VERDICTS
};

extern const char *const report_verdicts[REPORT_VERDICTS];

enum report_verdict report_verdict_of(const struct report_summary *summary);

// The exit status that goes with a verdict: 0, 0, 3, 1, 2.
int report_status(enum report_verdict verdict);

// All that was checked, when it is over.
struct report_end {
    bool several;                  // tests; otherwise one program
    const char *verdict;           // the worst
    size_t count[REPORT_VERDICTS]; // tests by verdict
    uint64_t executions;
    double seconds;
    const char *const *unused; // suppressions that no bug met
    size_t unused_count;
    size_t unseen; // bugs of the baseline that were not seen
    const char *heddle;
};

#endif
