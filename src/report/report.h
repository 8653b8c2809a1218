// What the commands hand to the report layer: the outcome of a search, with the bugs it found.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/job.h"

// After the decisive event every continuation fails; before it some does not.
enum decisive {
    DECISIVE_UNKNOWN,    // was not looked for
    DECISIVE_PROVEN,     // every continuation was tried
    DECISIVE_NOT_PROVEN, // no continuation that was tried avoids the failure
    DECISIVE_ALWAYS      // every run fails: no event decides
};

struct report_bug {
    const struct job_bug *bug;
    const char *trace_path;    // the recorded run; null: a short report without a table
    const char *schedule_path; // what replays it; null if it was not kept
    uint32_t preemptions;
    bool minimal; // no failing run has fewer preemptions
    enum decisive decisive;
    uint32_t decisive_event;
    const char *output; // what the program printed in the run, or null
};

struct report_summary {
    const char *program;
    const char *verdict; // "verified", "bug" or "incomplete"
    const struct job *job;
    const char *reason; // incomplete: a sentence that says what stopped it; may be null
    const char *const *assumptions;
    size_t assumption_count;
    struct report_bug *bugs;
    size_t bug_count;
    double seconds;
    const char *heddle; // version of the tool; may be null
};

#endif
