// Two accounts with a lock each. Both transfers lock the one they take from first: a deadlock.
#include <pthread.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct bank {
    pthread_mutex_t lock[2];
    int64_t money[2];
};

static void *create(void)
{
    struct bank *b = calloc(1, sizeof *b);
    pthread_mutex_init(&b->lock[0], NULL);
    pthread_mutex_init(&b->lock[1], NULL);
    return b;
}

static int64_t transfer(void *object, const int64_t *argument)
{
    struct bank *b = object;
    int64_t from = argument[0];
    pthread_mutex_lock(&b->lock[from]);
    pthread_mutex_lock(&b->lock[1 - from]);
    int64_t left = --b->money[from];
    b->money[1 - from]++;
    pthread_mutex_unlock(&b->lock[1 - from]);
    pthread_mutex_unlock(&b->lock[from]);
    return left;
}

heddle_lin(.create = create, .destroy = free, .operations = {{"transfer", transfer, {HEDDLE_RANGE(0, 1)}}});
