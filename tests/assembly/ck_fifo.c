// Concurrency Kit's FIFO: a producer and a consumer, or with MANY two producers. Everything that was put in comes out once, in order.
// WRONG (with MANY): both put in with the operation that is meant for one producer.
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>
#include <stdbool.h>

enum { ITEMS = 2 };

static long items[ITEMS] = {1, 2};

#if defined MANY && !defined WRONG
static _Alignas(16) ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[ITEMS];
#define INIT() ck_fifo_mpmc_init(&fifo, &stub)
#define PUT(i) ck_fifo_mpmc_enqueue(&fifo, &entries[i], &items[i])
static bool take(void *value)
{
    ck_fifo_mpmc_entry_t *garbage;
    return ck_fifo_mpmc_dequeue(&fifo, value, &garbage);
}
#else
static ck_fifo_spsc_t fifo;
static ck_fifo_spsc_entry_t stub, entries[ITEMS];
#define INIT() ck_fifo_spsc_init(&fifo, &stub)
#define PUT(i) ck_fifo_spsc_enqueue(&fifo, &entries[i], &items[i])
static bool take(void *value)
{
    return ck_fifo_spsc_dequeue(&fifo, value);
}
#endif

static void *put(void *number)
{
    PUT((long)number);
    return NULL;
}

static void *put_all(void *unused)
{
    for (long i = 0; i < ITEMS; i++)
        put((void *)i);
    return unused;
}

int main(void)
{
    pthread_t thread[ITEMS];
    int taken = 0, sum = 0;
    long *value, last = 0;
    INIT();
#ifdef MANY
    for (long i = 0; i < ITEMS; i++)
        pthread_create(&thread[i], NULL, put, (void *)i);
    for (int i = 0; i < ITEMS; i++)
        pthread_join(thread[i], NULL);
#else
    pthread_create(&thread[0], NULL, put_all, NULL);
    if (take(&value)) {
        assert(*value == 1);
        taken++, sum += last = *value;
    }
    pthread_join(thread[0], NULL);
#endif
    while (take(&value)) {
        taken++, sum += *value;
#ifndef MANY
        assert(*value == last + 1);
#endif
        last = *value;
    }
    assert(taken == ITEMS && sum == 3);
}
