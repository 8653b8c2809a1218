// A run as a list of what each event did, in names instead of addresses: it can be kept, and be compared with a run of
// the program after it was built anew.
#ifndef REPORT_OUTLINE_H
#define REPORT_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "job/job.h"

struct outline_op {
    char *operation; // as op_table calls it
    char *object;    // name of a variable; "heap" for memory from malloc; empty if there is none or it has no name
    char *place;     // "file:line (function)", or empty
};

// Zero-initialised is empty.
struct outline {
    struct outline_op *ops; // distinct ones
    size_t op_count, op_room;
    uint32_t *does; // by event: which of them
    uint16_t *actors;
    uint32_t count;
};

// Reads a recorded run; empty if there is none.
void outline_read(struct outline *o, const char *trace_path, const struct job *job);
void outline_free(struct outline *o);

// Adds an operation, which takes the strings over; an event that does operation `op`.
uint32_t outline_add_op(struct outline *o, struct outline_op op);
void outline_add_event(struct outline *o, uint32_t op, uint16_t actor);

// Whether a run departs from the expected one: there are fewer events, or one of another actor or operation, or on another
// variable. Places may change. The first such event is written to `event`.
bool outline_departs(const struct outline *expected, const struct outline *seen, uint32_t *event);

// "T1: lock mutex at buffer.c:37 (take)", or that the run had ended.
void outline_phrase(const struct outline *o, uint32_t event, const struct job *job, struct buffer *out);

#endif
