// Options of the commands that explore programs, which mean the same for all of them.
#ifndef CLI_SEARCH_OPTIONS_H
#define CLI_SEARCH_OPTIONS_H

#include "cli/options.h"
#include "supervise/check_program.h"

enum {
    SEARCH_MAX_EXECUTIONS = OPTION_FIRST,
    SEARCH_MAX_STEPS,
    SEARCH_REUSE,
    SEARCH_MEMORY_ERRORS,
    SEARCH_SPURIOUS,
    SEARCH_OMP_THREADS,
    SEARCH_FAULT,
    SEARCH_FILL,
    SEARCH_SCHEDULE,
    SEARCH_NO_CACHE,
    SEARCH_CFLAGS,
    SEARCH_LAST // a command numbers its own from here
};

// Rows for a command's table.
#define SEARCH_OPTIONS                                                                                                 \
    {"max-executions", 1, NULL, SEARCH_MAX_EXECUTIONS}, {"max-steps", 1, NULL, SEARCH_MAX_STEPS},                      \
        {"reuse", 0, NULL, SEARCH_REUSE}, {"memory-errors", 0, NULL, SEARCH_MEMORY_ERRORS},                            \
        {"spurious", 2, NULL, SEARCH_SPURIOUS}, {"fill", 1, NULL, SEARCH_FILL},                                        \
        {"schedule", 1, NULL, SEARCH_SCHEDULE}, {"omp-threads", 1, NULL, SEARCH_OMP_THREADS},                          \
        {"fault", 1, NULL, SEARCH_FAULT}, {"no-cache", 0, NULL, SEARCH_NO_CACHE},                                      \
    {                                                                                                                  \
        "cflags", 1, NULL, SEARCH_CFLAGS                                                                               \
    }

// One of these: 0, or 2 after a word on what is wrong.
int search_option(const char *command, struct check *check, int option, const char *text);

#endif
