// The times of operations as positions in the order of all calls and returns.
#ifndef HISTORY_TIMING_H
#define HISTORY_TIMING_H

#include "history/space.h"

#define TIMING_NEVER INT64_MAX

// `event` as of history_order; `back` is TIMING_NEVER for what never returned.
struct timing {
    uint32_t *event, events;
    int64_t *call, *back;
};

// False if there is no room.
bool time_operations(struct space *space, const struct operation *ops, uint32_t count, struct timing *t);

static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
