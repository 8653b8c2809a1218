// A campaign: the program without a fault a few times, then once for each fault, and what became of each.
#ifndef INJECT_CAMPAIGN_H
#define INJECT_CAMPAIGN_H

#include <stdio.h>

#include "inject/comparable.h"
#include "inject/deviation.h"
#include "inject/native_run.h"
#include "inject/outputs.h"
#include "inject/points.h"

// What became of a run with a fault.
enum fault_class {
    CLASS_CRASH,         // a signal ended it
    CLASS_HANG,          // it had to be ended
    CLASS_CORRUPTION,    // it says nothing, and its output is another one
    CLASS_REPORTED,      // it ended with another status, or said something on standard error
    CLASS_BENIGN,        // it ended as without the fault
    CLASS_NOT_ACTIVATED, // it never came to the point
    CLASSES
};

extern const char *const class_names[CLASSES]; // "silent corruption"

// How the program runs: as the system lets its threads, or one thread at a time in the order of the golden run.
enum campaign_way {
    WAY_BEST,
    WAY_NATIVE,
    WAY_CONTROLLED
}; // WAY_BEST: under control if native runs could not be compared

struct fault_outcome {
    struct fault fault;
    enum fault_class class;
    int status;
    double seconds;
    char *said;        // first line of standard error, or null
    bool stuck;        // it hangs since its threads wait for each other
    bool departed;     // under control: it could not follow the golden run's schedule …
    uint32_t followed; // … but so many turns of it
    // With traces:
    enum deviation_kind kind; // of the first deviation that there is
    char *thread;             // that has it; null: no thread deviates
    char *first;              // it, in words
    uint32_t threads;         // that deviate
    uint64_t objects;         // that had other values
    uint64_t spread;          // records that deviate besides the one that has the fault itself
    int64_t latency;          // records of the thread that got the fault from there to its first deviation; -1: none
};

struct campaign_request {
    struct native_program program;
    uint32_t groups; // bits by injection_group
    uint64_t runs;   // to be drawn; 0: every place
    uint64_t each;   // of every place, so many calls
    uint64_t seed;
    uint32_t jobs;
    uint32_t repeats;  // runs without a fault
    double timeout;    // seconds; 0: by the golden run
    const char *only;  // name of one fault, or null
    const char *save;  // file that outcomes are kept in, or null
    const char *trace; // folder for canonical traces, or null
    bool keep_traces;  // of all runs; otherwise only of the golden one
    bool naive;        // compare runs without a fault as they are, too
    enum campaign_way way;
    uint64_t schedule;  // seed, for the schedule under control
    char *const *words; // of the command, for the file; ended by null
    bool show;          // what the last run printed
    bool progress;
};

// Of the runs without a fault.
struct golden {
    struct native_result result;
    uint32_t repeats;
    bool out_varies, order_varies; // what it prints; only the order of its lines
    bool err_varies, files_vary, points_vary, status_varies;
    uint32_t naive, disorder;   // runs whose trace differs as it is; and with canonical names, in the order of the run
    uint32_t departed, outside; // under control: runs that did not follow the first; blockings out of control
    double longest;
};

struct campaign {
    const struct campaign_request *request;
    struct outputs outputs;
    struct golden golden;
    struct points points;
    uint64_t possible; // faults there are
    struct fault_outcome *outcomes;
    size_t count, room;
    uint64_t taken_over; // outcomes that were in the file
    double seconds, run_seconds;
    bool interrupted;
    bool controlled;
    const char *why;                 // it runs under control
    struct native_schedule schedule; // under control
    // With traces:
    struct canonical_trace golden_trace;
    struct comparison_check comparable;
    const char *not_comparable; // why it cannot be told, or null
    uint32_t golden_deviates;   // repeated golden runs that did not do the same
    char *pair[2];              // two accesses that may come in either order natively, or null
    double check_seconds, compare_seconds;
    char varying[256]; // calls of the program that may answer differently each time, with commas
    uint64_t compared;
};

// 0, or 2 after one sentence.
int campaign_run(struct campaign *c, const struct campaign_request *request);
void campaign_free(struct campaign *c);

// For its parts: keeps what became of a run, whose texts belong to the campaign then; and says what is wrong, for status 2.
void campaign_add_outcome(struct campaign *c, struct fault_outcome outcome);
int campaign_trouble(const char *what, const char *why);

// Reads "malloc,read" or "seed" or "all" into bits. Null, or what is wrong.
const char *campaign_groups(const char *text, uint32_t *groups);

// The bounds of the share of which k of n were seen, with 95 % confidence (Wilson).
void campaign_interval(uint64_t k, uint64_t n, double *low, double *high);

#endif
