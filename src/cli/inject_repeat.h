// One run of a campaign again, for `heddle replay`.
#ifndef CLI_INJECT_REPEAT_H
#define CLI_INJECT_REPEAT_H

#include <stdbool.h>

struct inject_repeat {
    const char *name; // of the fault
    const char *way;  // how the campaign's program ran, as its file has it (inject/saved_faults.h), or null
    int expected;     // class that the run had, or -1
};

// `heddle inject` with these words, but only this run, whose output is shown. Returns the exit status of `heddle replay`.
int inject_repeat(const struct inject_repeat *repeat, int argc, char **argv);

// The words behind `heddle replay`: whether they are a fault's name and a program, and that run again.
bool inject_is_fault(const char *word);
int inject_replay_fault(int argc, char **argv);

// A file of `heddle inject --save`, and which run of it (null: it was not said).
int inject_replay_saved(const char *path, const char *which);

#endif
