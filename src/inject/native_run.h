// One native run of the program with the injector in front of it: what it printed, how it ended, and whether the fault happened.
// Several may be under way at once.
#ifndef INJECT_NATIVE_RUN_H
#define INJECT_NATIVE_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/injection.h"

struct native_program {
    const char *path, *shown; // and what to call it
    char **arguments;         // ended by null; null: none
    const char *input;        // what standard input is; null: nothing
    char **outputs;           // files that it writes, ended by null; null: none
};

enum { NATIVE_TEXT = 1 << 20 }; // of what a program prints so much is kept

// What a run has left. Two runs that printed the same have the same hashes.
struct native_result {
    int status; // as waitpid gives it
    bool late;  // it was ended because it ran too long
    bool attached, activated, full;
    bool stuck;                            // its threads wait for each other (only seen under control)
    bool departed;                         // it could not follow the schedule that it was given …
    uint32_t followed;                     // … but so many turns of it
    uint32_t outside;                      // how often a thread blocked where there is no control
    uint64_t activated_path, activated_at; // by which thread, and after so many of its records
    double seconds;
    uint64_t as_it_is, in_order;      // hashes of its trace (model/injection.h)
    uint64_t out, sorted, err, files; // hashes; `sorted`: of the lines of the output in any order
    char *err_text;                   // its beginning; free it
};

// The schedule of a run under control (injector/injector_turns.h): turns to follow, or a seed to draw them by.
struct native_schedule {
    uint64_t seed;
    struct injection_turn *turns;
    uint32_t count;
};

struct native_run {
    bool naive; // hash the trace as it is, too
    pid_t child;
    double started, until;
    double seconds; // it may take
    int idle;       // since it is late: so many looks in a row found none of its threads ready to run
    int out, err;
    int block_fd;
    struct injection_block *block;
    const struct native_program *program;
};

// Makes the room for runs, one after the other. False: there is no memory for it.
bool native_open(struct native_run *run);
void native_close(struct native_run *run);

// Null, or why the program could not be started. `schedule`: null if threads run as the system lets them. `trace`: a new
// folder for its canonical trace, or null.
const char *native_start(struct native_run *run, const struct native_program *program, uint32_t watched,
                         const struct injection_plan *plan, const struct native_schedule *schedule, double seconds,
                         const char *trace);

// What it printed goes to standard output and standard error.
void native_show(const struct native_run *run);

// The turns of a run that has ended.
void native_take_turns(const struct native_run *run, struct native_schedule *schedule);

// Whether the run is over; then the result is filled in. Time in which its threads were ready and got no processor is not held
// against it, or a busy machine would make runs hang that do not.
bool native_over(struct native_run *run, struct native_result *result);

// Ends a run that is under way.
void native_stop(struct native_run *run);

#endif
