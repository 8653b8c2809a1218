// expect: verified options: --cflags -DBUG=1
// expect: bug not-linearizable options: --cflags -DBUG=1 --grow 20
// expect: verified options: --cflags -DBUG=0 --grow 0.5
//
// A counter in two digits, the lower of which goes from 0 to 3. What is wrong with it shows only at the fourth step: four calls
// beside one are more than clients have that are tried in any case.
//
// BUG=1: the digits are read without the lock, the lower one twice.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct counter {
    pthread_mutex_t lock;
    atomic_int low, high;
};

static void *create(void)
{
    struct counter *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

static int64_t step(void *object, const int64_t *argument)
{
    struct counter *c = object;
    (void)argument;
    pthread_mutex_lock(&c->lock);
    if (atomic_load(&c->low) == 3) {
        atomic_fetch_add(&c->high, 1);
        atomic_store(&c->low, 0);
    } else {
        atomic_fetch_add(&c->low, 1);
    }
    pthread_mutex_unlock(&c->lock);
    return HEDDLE_NIL;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct counter *c = object;
    int low, high;
    (void)argument;
    if (BUG != 1)
        pthread_mutex_lock(&c->lock);
    do {
        low = atomic_load(&c->low);
        high = atomic_load(&c->high);
    } while (low != atomic_load(&c->low));
    if (BUG != 1)
        pthread_mutex_unlock(&c->lock);
    return 4 * high + low;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"step", step}, {"get", get}});
