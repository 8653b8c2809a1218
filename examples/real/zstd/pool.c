// zstd's pool of threads (lib/common/pool.c), which multi-threaded compression runs its jobs on.
#include <heddle/heddle.h>
#include <pthread.h>
#include <stddef.h>

#include "pool.h"

// How often each job has run. Jobs do not share an entry, so what orders them is the pool alone.
static int ran[4];

static void job(void *number)
{
    ran[(size_t)number]++;
}

static void add(POOL_ctx *pool, size_t number)
{
    POOL_add(pool, job, (void *)number);
}

static void *push_one(void *pool)
{
    add(pool, 3);
    return NULL;
}

static void each_once(int jobs)
{
    for (int i = 0; i < jobs; i++)
        heddle_assert(ran[i] == 1);
}

heddle_test("freeing waits for all jobs")
{
    POOL_ctx *pool = POOL_create(2, 2);
    for (size_t i = 0; i < 3; i++)
        add(pool, i);
    POOL_free(pool);
    each_once(3);
}

heddle_test("joinJobs waits for all jobs")
{
    POOL_ctx *pool = POOL_create(2, 1);
    for (size_t i = 0; i < 3; i++)
        add(pool, i);
    POOL_joinJobs(pool);
    each_once(3);
    POOL_free(pool);
}

heddle_test("without a queue a job waits for a thread")
{
    POOL_ctx *pool = POOL_create(1, 0);
    add(pool, 0);
    add(pool, 1);
    POOL_free(pool);
    each_once(2);
}

heddle_test("tryAdd adds or says that it did not")
{
    POOL_ctx *pool = POOL_create(1, 1);
    int added = 0;
    for (size_t i = 0; i < 3; i++)
        added += POOL_tryAdd(pool, job, (void *)i);
    POOL_free(pool);
    heddle_assert(added >= 1 && ran[0] + ran[1] + ran[2] == added);
}

heddle_test("two threads push")
{
    POOL_ctx *pool = POOL_create(1, 1);
    pthread_t pusher;
    pthread_create(&pusher, NULL, push_one, pool);
    add(pool, 0);
    add(pool, 1);
    pthread_join(pusher, NULL);
    POOL_free(pool);
    each_once(2);
    heddle_assert(ran[3] == 1);
}

heddle_test("resizing down and up loses nothing")
{
    POOL_ctx *pool = POOL_create(2, 2);
    add(pool, 0);
    POOL_resize(pool, 1);
    add(pool, 1);
    POOL_resize(pool, 2);
    POOL_joinJobs(pool);
    each_once(2);
    POOL_free(pool);
}

// Pushers and joinJobs wait on the same condition variable, and pool.c wakes one waiter at a time.
heddle_test("one thread pushes while another waits in joinJobs")
{
    POOL_ctx *pool = POOL_create(1, 0);
    pthread_t pusher;
    add(pool, 0);
    pthread_create(&pusher, NULL, push_one, pool);
    POOL_joinJobs(pool);
    pthread_join(pusher, NULL);
    POOL_free(pool);
    heddle_assert(ran[3] == 1);
}
