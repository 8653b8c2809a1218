// bbuf, after the thesis of Inspect (Yang, Utah 2009, sections 4.4 and 6): "an implementation of a bounded buffer with
// concurrent producers and consumers". The text says no more.
//
// Of THREADS threads, besides main, one half puts ITEMS items each into a buffer of SLOTS, the other half takes as
// many. Two condition variables, as usual.
//
// BUG: one condition variable for both, with signal: a signal for a consumer may wake a producer.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef ITEMS
#define ITEMS 1
#endif
_Static_assert(THREADS % 2 == 0, "as many producers as consumers");

static struct {
    pthread_mutex_t lock;
    pthread_cond_t not_full, not_empty;
    int item[SLOTS], first, count;
} buffer = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .not_full = PTHREAD_COND_INITIALIZER, .not_empty = PTHREAD_COND_INITIALIZER};

#ifdef BUG
#define not_empty not_full
#endif

static int sum; // of the items taken, under the buffer's lock

static void put(int item)
{
    pthread_mutex_lock(&buffer.lock);
    while (buffer.count == SLOTS)
        pthread_cond_wait(&buffer.not_full, &buffer.lock);
    buffer.item[(buffer.first + buffer.count++) % SLOTS] = item;
    pthread_cond_signal(&buffer.not_empty);
    pthread_mutex_unlock(&buffer.lock);
}

static void take(void)
{
    pthread_mutex_lock(&buffer.lock);
    while (!buffer.count)
        pthread_cond_wait(&buffer.not_empty, &buffer.lock);
    sum += buffer.item[buffer.first];
    buffer.first = (buffer.first + 1) % SLOTS;
    buffer.count--;
    pthread_cond_signal(&buffer.not_full);
    pthread_mutex_unlock(&buffer.lock);
}

static void *produce(void *item)
{
    for (int i = 0; i < ITEMS; i++)
        put((int)(intptr_t)item);
    return NULL;
}

static void *consume(void *unused)
{
    for (int i = 0; i < ITEMS; i++)
        take();
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    int expected = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, i % 2 ? consume : produce, (void *)(intptr_t)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i += 2)
        expected += ITEMS * (i + 1);
    assert(sum == expected);
    return 0;
}
