// What a check keeps until its outcome is freed: the bugs as they were found and examined, and their explanations.
#ifndef SUPERVISE_OUTCOME_H
#define SUPERVISE_OUTCOME_H

#include "report/bug_identity.h"
#include "supervise/check_program.h"
#include "supervise/explain.h"
#include "supervise/phases.h"

enum { TEXT = 1024, PLACE = 256 };

// What is known of a bug from the run in which it was found.
struct examined {
    struct job_bug bug;
    enum ruling ruling;
    const char *rule;
    struct identity identity;
    struct buffer message, file;
    int line;
    char trace[TEXT];                // the recorded run
    char *output;                    // what the program printed in it, or null
    bool recorded;                   // it failed in the same way
    bool happens;                    // it failed again in a fresh process
    struct bug seen;                 // as it was seen then
    struct job_bug *failures;        // all of that run, in their order
    uint32_t failure_count, failure; // and which of them it is
};

// Keeps what the summary points to.
struct outcome_room {
    struct check *check;
    struct phases phases;
    char reason[TEXT], restart_reason[TEXT];
    const char *assumptions[JOB_NOTES + 12];
    char atomics[256]; // a variable declared _Atomic that the compiler reads plainly, in a sentence; or empty
    size_t examined_count;
    struct examined examined[JOB_BUGS];
    size_t count;
    struct explanation *explanations; // by number of the bug; the check may be gone before they are
    uint32_t explained;
    struct report_bug *bugs;
    char (*paths)[TEXT]; // of schedules
    size_t path_count;
    struct report_tolerated *tolerated;
    size_t tolerated_count, tolerated_room;
};

#endif
