// Concurrency Kit's ring: with one producer and one consumer, or with PRODUCERS of them and as many consumers (MANY).
// What comes out went in, once and in order of each producer. WRONG: two producers use the call that is for one.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdint.h>

#ifdef MANY
enum { PRODUCERS = 2, EACH = 1 };
#define ENQUEUE ck_ring_enqueue_mpmc
#define DEQUEUE ck_ring_trydequeue_mpmc
#elif defined(WRONG)
enum { PRODUCERS = 2, EACH = 1 };
#define ENQUEUE ck_ring_enqueue_spsc
#define DEQUEUE ck_ring_dequeue_spsc
#else
enum { PRODUCERS = 1, EACH = 3 };
#define ENQUEUE ck_ring_enqueue_spsc
#define DEQUEUE ck_ring_dequeue_spsc
#endif

static ck_ring_t ring;
static ck_ring_buffer_t buffer[4];
static int count[PRODUCERS * EACH + 1];

static void *produce(void *number)
{
    for (intptr_t i = 1; i <= EACH; i++)
        (void)ENQUEUE(&ring, buffer, (void *)((intptr_t)number * EACH + i));
    return NULL;
}

static void take_one(intptr_t *last)
{
    void *value;
    if (!DEQUEUE(&ring, buffer, &value))
        return;
    assert((intptr_t)value > 0 && (intptr_t)value <= PRODUCERS * EACH);
    assert(PRODUCERS > 1 || (intptr_t)value > *last);
    *last = (intptr_t)value;
    count[*last]++;
}

static void *consume(void *unused)
{
    intptr_t last = 0;
    take_one(&last);
    take_one(&last);
    return unused;
}

int main(void)
{
    pthread_t producer[PRODUCERS], consumer;
    intptr_t last = 0;
    ck_ring_init(&ring, 4);
    pthread_create(&consumer, NULL, consume, NULL);
    for (long i = 0; i < PRODUCERS; i++)
        pthread_create(&producer[i], NULL, produce, (void *)i);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producer[i], NULL);
    pthread_join(consumer, NULL);
    for (int i = 0; i < PRODUCERS * EACH; i++)
        take_one(&last);
    for (int i = 1; i <= PRODUCERS * EACH; i++)
        assert(count[i] == 1);
}
