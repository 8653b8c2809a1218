// expect: bug race client=put(1) | get()
// expect: bug race options: --races report
//
// get() reads without the lock, which is a race, although each execution has an order. The race is in the same execution that
// is judged: nothing but the race keeps get() behind put(), so this execution does not stand for one with the calls in turn.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct cell {
    pthread_mutex_t lock;
    int64_t value;
};

static void *create(void)
{
    struct cell *cell = calloc(1, sizeof *cell);
    pthread_mutex_init(&cell->lock, NULL);
    return cell;
}

static void destroy(void *object)
{
    struct cell *cell = object;
    pthread_mutex_destroy(&cell->lock);
    free(cell);
}

static int64_t put(void *object, const int64_t *argument)
{
    struct cell *cell = object;
    pthread_mutex_lock(&cell->lock);
    int64_t old = cell->value;
    cell->value = argument[0];
    pthread_mutex_unlock(&cell->lock);
    return old;
}

static int64_t get(void *object, const int64_t *argument)
{
    (void)argument;
    struct cell *cell = object;
    return cell->value;
}

heddle_lin(.create = create, .destroy = destroy, .operations = {{"put", put, {HEDDLE_RANGE(1, 2)}}, {"get", get}});
