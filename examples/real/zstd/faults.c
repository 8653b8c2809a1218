// zstd's pool of threads where memory or threads run out: whoever cannot have a pool, or cannot resize it, goes on with what it has.
#include <heddle/heddle.h>
#include <stddef.h>

#include "pool.h"

static int ran[3];

static void job(void *number)
{
    ran[(size_t)number]++;
}

static void work(POOL_ctx *pool)
{
    for (size_t i = 0; i < 2; i++)
        POOL_add(pool, job, (void *)i);
    POOL_free(pool);
    heddle_assert(ran[0] == 1 && ran[1] == 1);
}

heddle_test("a pool that cannot be made is not there")
{
    POOL_ctx *pool = POOL_create(2, 1);
    if (pool)
        work(pool);
}

heddle_test("a pool that cannot be resized works on")
{
    POOL_ctx *pool = POOL_create(1, 1);
    if (!pool)
        return;
    POOL_resize(pool, 2);
    work(pool);
}
