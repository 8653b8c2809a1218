// The code of the program under test, for root causes: where the events of its executions stand, and which code a block is.
#ifndef SUPERVISE_CODE_H
#define SUPERVISE_CODE_H

#include "model/blocks.h"
#include "repair/cause.h"

struct code;

struct code_function {
    const char *file, *name; // belong to the code
    bool inlined;            // somewhere, into its caller
    bool several;            // executions have events in more than one of its lines
    uint32_t line;           // one of them
};

// Null if the program has no debug information.
struct code *code_open(const char *program);
void code_close(struct code *code);

const struct code_function *code_function(const struct code *code, uint32_t function);

struct code_runs {
    struct cause_run *run;
    size_t count, room;
};

// Adds the executions that a worker wrote (model/runs.h), `client` added to the numbers of their clients. Those with more
// actors than can be looked at are left out.
void code_read_runs(struct code *code, int fd, uint32_t client, struct code_runs *runs);
void code_free_runs(struct code_runs *runs);

// The machine code of the blocks; false if there is no room for it.
bool code_ranges(struct code *code, const struct cause_repair *repair, struct block_job *blocks);

#endif
