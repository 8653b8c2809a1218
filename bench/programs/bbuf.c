// A bounded buffer of two slots between producers and consumers, with two condition variables.
#include <assert.h>
#include <pthread.h>

#ifndef PRODUCERS
#define PRODUCERS 4
#endif
#ifndef CONSUMERS
#define CONSUMERS 4
#endif
#ifndef ITEMS
#define ITEMS 2 // of each
#endif
enum { SLOTS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slot[SLOTS], count, head;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == SLOTS)
        pthread_cond_wait(&not_full, &lock);
    slot[(head + count++) % SLOTS] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (!count)
        pthread_cond_wait(&not_empty, &lock);
    int item = slot[head];
    head = (head + 1) % SLOTS;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *unused)
{
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 0; i < ITEMS * PRODUCERS / CONSUMERS; i++)
        assert(take() > 0);
    return unused;
}

int main(void)
{
    pthread_t threads[PRODUCERS + CONSUMERS];
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_create(&threads[i], NULL, i < PRODUCERS ? producer : consumer, NULL);
    for (int i = 0; i < PRODUCERS + CONSUMERS; i++)
        pthread_join(threads[i], NULL);
    return count;
}
