// Random programs as real ones: a C file with many of them, compiled by heddle cc, each explored by the real engine.
//
// A program notes its outcomes in a table in a shared file, behind heddle's back: a function that is not instrumented
// writes it, so that going back in time does not undo it. Slot 0 holds the address of the program's plain memory.
#ifndef FUZZ_REAL_RUN_H
#define FUZZ_REAL_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "fuzz/program.h"
#include "job/job.h"

enum { REAL_SLOTS = 1 << 15, REAL_MOST_OUTCOMES = REAL_SLOTS / 4 };
enum { REAL_NO_CELL = 0xee }; // in the place of memory, where an outcome is what threads have read

// Where things are.
struct real_place {
    char heddle[256];  // the command
    char source[256];  // the C file
    char program[256]; // what it was compiled to
    char table[256];   // the shared file
    char log[256];     // what the compiler said
    uint64_t *slots;
};

struct real_task {
    uint32_t number; // of the program in its file
    enum strategy_kind strategy;
    enum restart_mode restart;
    enum race_mode races;
    uint64_t max_executions;
    bool only_races;
    uint8_t faults; // writes that may fail
    const struct task
        *more; // instead: all rules of the run but how it starts anew, and switches of the search; or null
};

// What came of it. The job belongs to the answer.
struct real_answer {
    struct job *job;
    struct set outcomes;
    uint64_t memory; // address of the program's plain memory
};

// Puts copies of the command and the runtime into the folder, which are used from then on: a build that replaces them
// meanwhile would make programs fail to compile or to start. False if there are none yet, or not whole ones.
bool real_install(const char *folder);
void real_uninstall(const char *folder);

void real_begin(struct real_place *place, const char *folder, const char *name);
void real_end(struct real_place *place, bool keep_source);

// What every C file begins with: `note` takes an outcome as bytes. Each program has a function `begin` with its number, which main
// calls, and one called `end` as the handler of exit, which gets the status. What a handler does is explored like any other
// code, beside the threads that still run: what it reads of them past the hooks it may have read too early.
void real_print_head(FILE *out);
void real_print_main(FILE *out, uint32_t programs);

// Null, or the first thing the compiler complained about: a text to be freed.
char *real_compile(const struct real_place *place, const char *flags);

struct real_answer real_explore(const struct real_place *place, struct real_task task);
void real_forget(struct real_answer *answer);

// `heddle check --json` on the same; null if it gives none. Takes time to explain each bug.
struct cJSON *real_command(const struct real_place *place, struct real_task task);

// The hash of an outcome as `note` computes it.
uint64_t real_hash(const uint8_t *bytes, size_t n);

#endif
