// Two stages with a queue of two places in front of each; condition variables on both sides, items on the heap.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 2, ITEMS = 3, WORKERS = 2 };

struct item {
    int value, stage;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, drained;
    struct item *place[ROOM];
    int count;
};

static struct queue stage[2] = {
    {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .drained = PTHREAD_COND_INITIALIZER},
    {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .drained = PTHREAD_COND_INITIALIZER}};

static void put(struct queue *q, struct item *item)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == ROOM)
        pthread_cond_wait(&q->drained, &q->lock);
    q->place[q->count++] = item;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->lock);
}

static struct item *take(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->count)
        pthread_cond_wait(&q->filled, &q->lock);
    struct item *item = q->place[--q->count];
    pthread_cond_signal(&q->drained);
    pthread_mutex_unlock(&q->lock);
    return item;
}

static void *source(void *unused)
{
    for (int i = 0; i < ITEMS; i++) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            abort();
        *item = (struct item){.value = i};
        put(&stage[0], item);
    }
    return unused;
}

static void *worker(void *count)
{
    for (long i = 0; i < (long)count; i++) {
        struct item *item = take(&stage[0]);
        item->stage++;
        put(&stage[1], item);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second[WORKERS];
    int sum = 0;
    pthread_create(&first, NULL, source, NULL);
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&second[i], NULL, worker, (void *)(1 + i));
    for (int i = 0; i < ITEMS; i++) {
        struct item *item = take(&stage[1]);
        sum += item->value + item->stage;
        free(item);
    }
    pthread_join(first, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(second[i], NULL);
    assert(sum == ITEMS + ITEMS * (ITEMS - 1) / 2);
    return 0;
}
