#include "history/timing.h"

bool time_operations(struct space *space, const struct operation *ops, uint32_t count, struct timing *t)
{
    t->event = space_take(space, 2 * (size_t)count + 1, sizeof *t->event);
    uint32_t *scratch = space_take(space, 2 * (size_t)count + 1, sizeof *scratch);
    t->call = space_take(space, count + 1, sizeof *t->call);
    t->back = space_take(space, count + 1, sizeof *t->back);
    if (!t->event || !scratch || !t->call || !t->back)
        return false;
    t->events = history_order(ops, count, t->event, scratch);
    for (uint32_t i = 0; i < count; i++)
        t->back[i] = TIMING_NEVER;
    for (uint32_t e = 0; e < t->events; e++)
        (t->event[e] & 1 ? t->back : t->call)[t->event[e] / 2] = e;
    return true;
}
