// expect: incomplete options: --max-steps 20 --threads 2 --calls 1 --may-fail try_it
//
// Executions of clients that call `count` twice are cut. What the calls of `try_it` teach later, that letting go of a lock can be seen, must not
// make that forgotten.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct object {
    pthread_mutex_t lock;
    atomic_int counted;
};

static void *create(void)
{
    struct object *o = calloc(1, sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    return o;
}

static int64_t count(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    int others = atomic_fetch_add(&o->counted, 1);
    for (int i = 0; others && i < 30; i++)
        atomic_fetch_add(&o->counted, 1);
    return 0;
}

static int64_t try_it(void *object, const int64_t *argument)
{
    (void)argument;
    struct object *o = object;
    if (pthread_mutex_trylock(&o->lock))
        return HEDDLE_NIL;
    pthread_mutex_unlock(&o->lock);
    return 0;
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"count", count}, {"try_it", try_it, .failure = HEDDLE_NIL}});
