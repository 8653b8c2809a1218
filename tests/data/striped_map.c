// A map in two stripes, each under a lock of its own. BUG=2: clear empties one stripe after the other. Within four calls a
// mutex around clear and size alone looks right; with five, put_if_absent and remove show that it is not.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

enum { STRIPES = 2, KEYS = 4 };

struct map {
    pthread_mutex_t lock[STRIPES];
    int64_t value[KEYS + 1];
};

static void *create(void)
{
    struct map *m = calloc(1, sizeof *m);
    for (int i = 0; i < STRIPES; i++)
        pthread_mutex_init(&m->lock[i], NULL);
    return m;
}

static void lock_all(struct map *m)
{
    for (int s = 0; s < STRIPES; s++)
        pthread_mutex_lock(&m->lock[s]);
}

static void unlock_all(struct map *m)
{
    for (int s = 0; s < STRIPES; s++)
        pthread_mutex_unlock(&m->lock[s]);
}

static int64_t put_if_absent(void *o, const int64_t *a)
{
    struct map *m = o;
    int64_t k = a[0], old;
    pthread_mutex_lock(&m->lock[k % STRIPES]);
    old = m->value[k];
    if (!old)
        m->value[k] = a[1];
    pthread_mutex_unlock(&m->lock[k % STRIPES]);
    return old ? old : HEDDLE_NIL;
}

static int64_t take_out(void *o, const int64_t *a)
{
    struct map *m = o;
    int64_t k = a[0];
    pthread_mutex_lock(&m->lock[k % STRIPES]);
    int64_t old = m->value[k];
    m->value[k] = 0;
    pthread_mutex_unlock(&m->lock[k % STRIPES]);
    return old ? old : HEDDLE_NIL;
}

static int64_t size(void *o, const int64_t *a)
{
    (void)a;
    struct map *m = o;
    int64_t n = 0;
    lock_all(m);
    for (int k = 0; k <= KEYS; k++)
        n += m->value[k] != 0;
    unlock_all(m);
    return n;
}

static int64_t clear(void *o, const int64_t *a)
{
    (void)a;
    struct map *m = o;
    if (BUG != 2)
        lock_all(m);
    for (int s = 0; s < STRIPES; s++) {
        if (BUG == 2)
            pthread_mutex_lock(&m->lock[s]);
        for (int k = s; k <= KEYS; k += STRIPES)
            m->value[k] = 0;
        if (BUG == 2)
            pthread_mutex_unlock(&m->lock[s]);
    }
    if (BUG != 2)
        unlock_all(m);
    return HEDDLE_NIL;
}

heddle_lin(.create = create, .destroy = free,
           .operations = {{"put_if_absent", put_if_absent, {HEDDLE_RANGE(1, 2), HEDDLE_FRESH}},
                          {"remove", take_out, {HEDDLE_RANGE(1, 2)}},
                          {"size", size},
                          {"clear", clear}});
