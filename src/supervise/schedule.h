// A schedule as a file: small, versioned text that names threads by their creation and nothing by its address, so that it
// replays in another process and on another machine.
#ifndef SUPERVISE_SCHEDULE_H
#define SUPERVISE_SCHEDULE_H

#include <stdint.h>
#include <stdio.h>

#include "model/step.h"

enum { SCHEDULE_WORDS = 256, SCHEDULE_STEPS = 1 << 20, SCHEDULE_THREADS = 256 };

struct schedule {
    char *program;                 // executable, or null if it is built from sources
    char *sources[SCHEDULE_WORDS]; // ends with null
    char *flags[SCHEDULE_WORDS];   // given to the compiler
    char *arguments[SCHEDULE_WORDS];
    char *bug;                     // kind
    uint64_t fingerprint;          // which one, if the run has several (report/identity.h); 0: unknown
    uint32_t reuse, leaks, races, unlock_visible;
    uint32_t spurious;
    uint32_t merged_count, racy_count;
    uint64_t merged[256], racy[256];
    uint32_t threads;
    struct {
        uint32_t parent, number;
    } thread[SCHEDULE_THREADS];
    uint32_t steps;
    struct step *step;
};

// Returns 0, or -1 with errno set.
int schedule_write(FILE *file, const struct schedule *schedule);

// Returns null, or a sentence that says what is wrong with the file.
const char *schedule_read(FILE *file, struct schedule *schedule);
void schedule_free(struct schedule *schedule);

#endif
