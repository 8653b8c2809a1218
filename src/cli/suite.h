// What the operands of `heddle check` come to: one program, or the tests of several, each explored by itself.
//
// Without a folder and --list, all operands are one program (sources that are built together, or an executable). With one of
// them each source is a program of its own; a folder stands for its sources, not for those of folders in it. A program with
// tests (heddle_test) is built once and checked once for each of them.
#ifndef CLI_SUITE_H
#define CLI_SUITE_H

#include "base/strings.h"
#include "cli/reports.h"
#include "supervise/check_program.h"

struct suite {
    struct check check; // what is the same for all: the task, flags, arguments
    struct reports reports;
    const char *save_directory; // --save, or null …
    double save_every;          // … and how often; 0: as usual
    const char *timeline_path;  // or null
    const char *pattern;        // of the tests that are wanted; null: all
    bool apart;                 // --list: every source is a program of its own
    bool names;                 // only print the names of the tests
    struct strings stems;       // names of schedules that were given out
    bool begun;                 // reports_begin was called
    size_t found;               // tests that were wanted
    size_t at;                  // which program's turn it is
    struct suite_ahead *ahead;  // does things beforehand; null: each has to wait for its turn
};

// Checks everything and reports it. Returns the exit status.
int suite_run(struct suite *s, int operands, char **operand);

#endif
