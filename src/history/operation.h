// What was called, by whom, with what result, and when: the only thing a judgement looks at.
//
// One operation comes before another if it returned before the other was called; equal times overlap. An operation that
// never returned may have taken effect at any time after its call, or not at all.
#ifndef HISTORY_OPERATION_H
#define HISTORY_OPERATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "history/value.h"

enum { OPERATION_ARGUMENTS = 3 };

#define OPERATION_NEVER INT64_MAX // returned: it did not

struct operation {
    int64_t argument[OPERATION_ARGUMENTS]; // those that the call does not have are 0
    int64_t result;                        // if known
    int64_t invoked, returned;             // times
    int64_t key; // of the object it belongs to, if the history is about several; else VALUE_NIL
    uint32_t process;
    uint32_t line, end_line; // of call and return in the file it was read from, or 0
    uint16_t call;           // number in the specification's table
    bool known;              // the result was seen; otherwise any will do
};

static inline bool operation_pending(const struct operation *op)
{
    return op->returned == OPERATION_NEVER;
}

// A history under construction, in memory that belongs to the caller: cheap enough for millions of small ones. Time is
// the number of calls and returns so far.
struct history {
    struct operation *ops;
    uint32_t count, room;
    int64_t now;
};

static inline void history_begin(struct history *h, struct operation *ops, uint32_t room)
{
    *h = (struct history){.ops = ops, .room = room};
}

// The number of the new operation. There must be room.
uint32_t history_invoke(struct history *h, uint32_t process, uint16_t call, const int64_t *arguments, uint32_t count);

void history_return(struct history *h, uint32_t op, int64_t result);

// Takes back the newest event, a call or a return, of this operation.
void history_undo(struct history *h, uint32_t op);

// The calls and returns in order of time, calls first at equal times: twice the operation's number, plus 1 for a return.
// Both arrays have room for 2 * count; the answer is in `order`. Returns how many there are.
uint32_t history_order(const struct operation *ops, uint32_t count, uint32_t *order, uint32_t *scratch);

// The most operations that are under way at a time; `line` gets where the last of them is called, 0 if that is not known.
uint32_t history_overlap(const struct operation *ops, uint32_t count, uint32_t *line);

// Between two moments at which nothing is under way puts the calls in front of the returns, so that everything overlaps:
// what is left of the order is what quiescent consistency looks at. `scratch` is as large as `order`.
void history_blur(uint32_t *order, uint32_t *scratch, uint32_t events);

// Makes the times the positions in `order`, which are all different.
void history_rank(struct operation *ops, const uint32_t *order, uint32_t events);

// What had happened before `time`, copied to `to`, which has room for all: what had not returned by then is pending.
// Returns how many operations there are.
uint32_t history_prefix(const struct operation *ops, uint32_t count, int64_t time, struct operation *to);

#endif
