// A buffer with one slot, a mutex and two condition variables; one producer of two items, two consumers of one each.
//
// WRONG checks with `if` what it waited for. Between the signal and the moment the woken consumer has the mutex again
// the other consumer may come and take the item: the woken one goes on with an empty buffer.
//
// heddle check examples/bounded_buffer.c        verified
// heddle check examples/bounded_buffer_wrong.c  bug: assertion (it takes from an empty buffer)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef WRONG
#define WAIT_WHILE if
#else
#define WAIT_WHILE while
#endif

enum { SLOTS = 1, ITEMS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int slot[SLOTS], count;

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    WAIT_WHILE (count == SLOTS)
        pthread_cond_wait(&not_full, &mutex);
    assert(count < SLOTS);
    slot[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
}

static int take(void)
{
    pthread_mutex_lock(&mutex);
    WAIT_WHILE (count == 0)
        pthread_cond_wait(&not_empty, &mutex);
    assert(count > 0);
    int item = slot[--count];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *producer(void *unused)
{
    (void)unused;
    for (int item = 1; item <= ITEMS; item++)
        put(item);
    return NULL;
}

static void *consumer(void *item)
{
    *(int *)item = take();
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    int item[2];
    pthread_create(&thread[0], NULL, consumer, &item[0]);
    pthread_create(&thread[1], NULL, consumer, &item[1]);
    pthread_create(&thread[2], NULL, producer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(item[0] + item[1] == 1 + 2 && item[0] != item[1]);
    assert(count == 0);
    return 0;
}
