// A repair as a mutex: where it is taken, as a patch, checked like any other program.
#ifndef SUPERVISE_LOCK_H
#define SUPERVISE_LOCK_H

#include "repair/cause.h"
#include "repair/statements.h"
#include "supervise/code.h"

// The sources of the program.
struct lock_source {
    // Of the file that debug information calls so; null if it is not one of the sources.
    const struct c_tokens *(*statements)(void *context, const char *file);
    const char *(*text)(void *context, const char *file);
    // The program with another text for that file; null if it does not compile.
    const char *(*build)(void *context, const char *file, const char *text);
    void *context;
};

enum { LOCK_RUNS = 32 };

// What a repair was found to make right.
struct repair_reach {
    uint64_t clients; // within the bounds that the failing one was found in: all of them
    uint64_t beyond;  // and with a call or a thread more …
    bool beyond_all;  // … all of those, too: the time was not over before
};

struct lock {
    char *patch;      // a unified diff; null: there is none
    const char *file; // that it changes
    struct statement_run run[LOCK_RUNS];
    uint32_t count;
    struct repair_reach reach;
    const char *reason; // why there is no patch: "it …"
};

// Whether the program is right under all clients, and which those are. If not, the runs may be more afterwards: those of the
// client that failed, without the mutex.
struct lock_check {
    bool (*is_right)(void *context, const char *program, struct repair_reach *reach);
    void *context;
};

// A mutex excludes only those who take it, so more than the blocks may have to be under it. Tried are the statements with the
// blocks, the bodies of their functions, what calls do from their first step to their last as far as the runs show, and the
// bodies of all functions that clients call.
void lock_find(struct lock *lock, const struct code *code, const struct cause_repair *repair,
               const struct code_runs *runs, const struct lock_source *source, const struct lock_check *check);

#endif
