#include "model/clock.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

void clock_pool_init(struct clock_pool *pool, uint32_t width, uint32_t limit)
{
    pool->width = (width + 3) & ~3u;
    pool->limit = limit;
    pool->most = limit / pool->width;
    pool->lanes = mem_reserve((size_t)limit * sizeof *pool->lanes);
    pool->count = 1;
}

void clock_pool_free(struct clock_pool *pool)
{
    mem_release(pool->lanes, (size_t)pool->limit * sizeof *pool->lanes);
    pool->lanes = NULL;
}

void clock_pool_widen(struct clock_pool *pool, uint32_t actors)
{
    uint32_t old = pool->width, width = (actors + 3) & ~3u;
    if (width <= old)
        return;
    if ((uint64_t)pool->count * width > pool->limit)
        clock_pool_full();
    for (uint32_t id = pool->count; id-- > 0;) { // from the end: the new place of a clock never precedes its old one
        uint32_t *to = pool->lanes + (uint64_t)id * width;
        memmove(to, pool->lanes + (uint64_t)id * old, old * sizeof *to);
        memset(to + old, 0, (width - old) * sizeof *to);
    }
    pool->width = width;
    pool->most = pool->limit / width;
}

_Noreturn void clock_pool_full(void)
{
    out_of_room("the vector clocks of one execution (fewer threads or a lower --max-steps need less)");
}
