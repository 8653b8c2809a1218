#include "build/assembly/assembly_units.h"

struct units units_of(int32_t distance, int32_t size, bool inner)
{
    struct units set = {{0}};
    int32_t from = distance + UNITS_REACH, to = from + size;
    from = inner ? (from + UNITS_SIZE - 1) & ~(UNITS_SIZE - 1) : from & ~(UNITS_SIZE - 1);
    to = inner ? to & ~(UNITS_SIZE - 1) : (to + UNITS_SIZE - 1) & ~(UNITS_SIZE - 1);
    for (int32_t at = from < 0 ? 0 : from; at < to && at < UNITS_REACH; at += UNITS_SIZE)
        set.bit[at / UNITS_SIZE / 64] |= 1ull << (at / UNITS_SIZE % 64);
    return set;
}

struct units units_all(void)
{
    return units_of(-UNITS_REACH, UNITS_REACH, false);
}

bool units_has(const struct units *set, size_t unit)
{
    return unit < UNITS && set->bit[unit / 64] >> (unit % 64) & 1;
}

void units_add(struct units *set, const struct units *more)
{
    for (size_t i = 0; i < UNITS / 64; i++)
        set->bit[i] |= more->bit[i];
}
