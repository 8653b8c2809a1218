// One native run of a program with the holder in front of it (holder/holder.h), and of the load that it serves, if it has one.
//
// The load is a command of the user's, which a shell runs while the program does. Once it has ended, the program is asked to end
// (SIGTERM). Whatever does not end in time is killed, with all that it has started.
#ifndef PREDICT_HELD_RUN_H
#define PREDICT_HELD_RUN_H

#include <stdbool.h>

#include "model/holding.h"

struct held_program {
    const char *path;
    char *const *arguments; // without the program's name, ended by null
    const char *directory;  // to run it in; null: here
    const char *load;       // null: it needs none
};

struct held_result {
    int status;      // of the program, as waitpid gives it
    bool late;       // it had to be killed
    int load_status; // of the load, the same; 0 without one
    bool load_late;
    double seconds;
    char *output;        // what the program printed, its lines sorted, as one line; free it
    const char *trouble; // why there was no run; null: there was one
};

struct held_run {
    struct holding_block *block;
    int block_fd;
};

// False: there is no memory for it.
bool held_open(struct held_run *run);
void held_close(struct held_run *run);

// Clears the orders and what came of them.
void held_renew(struct held_run *run);

// Runs the program with the orders in run->block, for at most so many seconds.
void held_execute(struct held_run *run, const struct held_program *program, double seconds, struct held_result *result);
void held_result_free(struct held_result *result);

#endif
