// One line on a terminal that says how a search is going; nothing at all where there is no terminal.
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "job/job.h"

struct progress {
    FILE *out;
    bool wanted;          // `out` is a terminal
    bool shown;           // the line is there
    double started, last; // seconds
    uint64_t executions;  // at `last`
    double rate;          // executions per second, smoothed
};

void progress_begin(struct progress *p, FILE *out);

// Shows the current state; may be called as often as one likes, the line changes a few times a second.
// `others`: executions of other workers at the same search.
void progress_update(struct progress *p, const volatile struct job *job, uint64_t others);

// The same with a line of the caller's.
void progress_show(struct progress *p, const char *line);

// Takes the line away. Must be called before anything else is printed there.
void progress_clear(struct progress *p);

// The line itself, without control characters; `executions` of all workers, `seconds` since the start. For progress_update and its tests.
void progress_line(const struct progress *p, const volatile struct job *job, uint64_t executions, double seconds,
                   char *line, size_t room);

#endif
