#include "cluster/circles.h"

#include "base/mem.h"
#include "target/nodes/world.h"

enum { REMEMBERED = 1 << 16 };

void circles_open(struct circles *c)
{
    *c = (struct circles){.rank = 0};
    if (world.library.protocol->quiet || world.library.protocol->model)
        c->judged = mem_reserve(REMEMBERED * sizeof *c->judged);
}

void circles_close(struct circles *c)
{
    if (c->judged)
        mem_release(c->judged, REMEMBERED * sizeof *c->judged);
}

// What is beyond the last rank has that rank, and is judged once too often.
uint16_t circles_next_rank(const struct circles *c)
{
    return c->rank < UINT16_MAX ? (uint16_t)(c->rank + 1) : UINT16_MAX;
}

// Once for each state.
static bool is_to_be_judged(struct circles *c)
{
    if (!c->judged)
        return false;
    uint64_t *judged = &c->judged[c->number >> 7 & (REMEMBERED - 1)];
    if (*judged == c->number)
        return false;
    *judged = c->number;
    return true;
}

bool circles_come_to(struct circles *c, uint64_t number, uint16_t rank, bool is_new)
{
    bool turns_back = !is_new && rank <= c->rank;
    c->rank = rank;
    c->number = number;
    return turns_back && is_to_be_judged(c);
}

bool circles_sleep(struct circles *c)
{
    return is_to_be_judged(c);
}
