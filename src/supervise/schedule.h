// A schedule as a file: small, versioned text that names threads by their creation and nothing by its address, so that it
// replays in another process and on another machine.
#ifndef SUPERVISE_SCHEDULE_H
#define SUPERVISE_SCHEDULE_H

#include <stdint.h>
#include <stdio.h>

#include "job/job.h"
#include "report/outline.h"

enum {
    SCHEDULE_WORDS = 256,
    SCHEDULE_STEPS = 1 << 20,
    SCHEDULE_THREADS = MAX_ACTORS,
    SCHEDULE_MERGED = 256,
    SCHEDULE_RACY = RACY_WORDS
};

struct schedule {
    char *program;                 // executable, or null if it is built from sources
    char *sources[SCHEDULE_WORDS]; // ends with null
    char *flags[SCHEDULE_WORDS];   // given to the compiler
    char *arguments[SCHEDULE_WORDS];
    char *directory;               // where the program runs; null: where heddle does
    char *input;                   // what it finds on its standard input, or null
    char *kept[SCHEDULE_WORDS];    // files that it reads as they are when its run begins
    char *allowed[SCHEDULE_WORDS]; // directories in which it may change files for good
    char *trusted;                 // functions and libraries that do no harm, as the user says; or null
    char *test;                    // which of a test framework's tests, or null
    char *bug;                     // kind
    char *client;         // of an object (lin/inventor.h), with the judgement in front: "linearizable: …"; or null
    uint64_t fingerprint; // which one, if the run has several (report/bug_identity.h); 0: unknown
    char *failure;        // its identity in the very run that is kept; may be null
    uint64_t build;       // number of the program's code, by which a rebuilt one is recognised; 0: not known
    struct rules
        rules; // as far as the file has them: reuse, leaks, races, fill, spurious, openmp_threads, calendar, faults, outlives_all
    uint32_t unlock_visible, turns;
    uint32_t round; // the run comes back to the state after so many events less one; 0: it need not
    char *merged[SCHEDULE_MERGED + 1], *racy[SCHEDULE_RACY + 1]; // names of globals.h; end with null
    struct job_threads threads;
    uint32_t steps;
    struct step *step;
    struct outline outline; // what each step did, for as many as are known
};

// Returns 0, or -1 with errno set.
int schedule_write(FILE *file, const struct schedule *schedule);

// Returns null, or a sentence that says what is wrong with the file.
const char *schedule_read(FILE *file, struct schedule *schedule);
void schedule_free(struct schedule *schedule);

#endif
