// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable client=put(64) | get() options: --cflags -DBUG=1
//
// A register of sixteen bits whose halves are written one after the other. Values from a generator of its own: powers of two.
//
// BUG=1: without the lock, and with the number split between 5 and 6 bits.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct halves {
    pthread_mutex_t lock;
    atomic_int low, high;
};

static void *create(void)
{
    struct halves *h = calloc(1, sizeof *h);
    pthread_mutex_init(&h->lock, NULL);
    atomic_init(&h->low, 63);
    return h;
}

static void enter(struct halves *h)
{
    if (BUG != 1)
        pthread_mutex_lock(&h->lock);
}

static void leave(struct halves *h)
{
    if (BUG != 1)
        pthread_mutex_unlock(&h->lock);
}

static int64_t put(void *object, const int64_t *argument)
{
    struct halves *h = object;
    enter(h);
    atomic_store(&h->low, (int)argument[0] & 63);
    atomic_store(&h->high, (int)argument[0] >> 6);
    leave(h);
    return HEDDLE_NIL;
}

static int64_t get(void *object, const int64_t *argument)
{
    struct halves *h = object;
    (void)argument;
    enter(h);
    int64_t low = atomic_load(&h->low), high = atomic_load(&h->high);
    leave(h);
    return high << 6 | low;
}

static int64_t power(int64_t n)
{
    return (int64_t)1 << (3 * n);
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"put", put, {HEDDLE_MADE_BY(power, 3)}}, {"get", get}});
