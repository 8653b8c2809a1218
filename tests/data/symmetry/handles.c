// Where main keeps the handles of its threads, and what else it does, tells nobody who is who. They are in a GLOBAL array, or in a POOL that
// the threads look at, too; or there is a handler of exit (ATEXIT). Joining them in an order that depends on the schedule
// (SWAPPED), or one of them before main looks at what they did (BETWEEN), does tell.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS = 4 };

static _Atomic int total;

struct pool {
    int rounds;
    pthread_t handle[THREADS];
};

static struct pool *pool;

#ifdef GLOBAL
static pthread_t global[THREADS];
#endif

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < pool->rounds; i++)
        total++;
    return NULL;
}

#ifdef ATEXIT
static void at_end(void)
{
    assert(total == 2 * THREADS);
}
#endif

int main(void)
{
    pool = malloc(sizeof *pool);
    if (!pool)
        return 1;
    pool->rounds = 2;
#if defined POOL
    pthread_t *handle = pool->handle;
#elif defined GLOBAL
    pthread_t *handle = global;
#else
    pthread_t handle[THREADS];
#endif
#ifdef ATEXIT
    atexit(at_end);
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_create(&handle[i], NULL, work, NULL);
#ifdef SWAPPED
    int before = total;
    if (before > 3) {
        pthread_t first = handle[0];
        handle[0] = handle[THREADS - 1];
        handle[THREADS - 1] = first;
    }
#endif
#ifdef BETWEEN
    pthread_join(handle[0], NULL);
    int seen = total;
    for (int i = 1; i < THREADS; i++)
        pthread_join(handle[i], NULL);
    assert(seen != 2); // the first one alone has run
#else
    for (int i = 0; i < THREADS; i++)
#ifdef POOL
        pthread_join(pool->handle[i], NULL);
#else
        pthread_join(handle[i], NULL);
#endif
#endif
#ifdef SWAPPED
    assert(before != 2 * THREADS);
#endif
    assert(total == 2 * THREADS);
    free(pool);
    return 0;
}
