// A producer and a consumer that spin on Concurrency Kit's ring: between two looks there are plain accesses and calls of hooks,
// whose remains in registers and below the stack pointer must not hide that the thread goes in a circle.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdint.h>

enum { ITEMS = 2 };

static ck_ring_t ring;
static ck_ring_buffer_t buffer[2]; // room for one

static void *produce(void *unused)
{
    for (intptr_t i = 1; i <= ITEMS; i++)
        while (!ck_ring_enqueue_spsc(&ring, buffer, (void *)i)) {
        }
    return unused;
}

int main(void)
{
    pthread_t producer;
    ck_ring_init(&ring, 2);
    pthread_create(&producer, NULL, produce, NULL);
    for (intptr_t i = 1; i <= ITEMS; i++) {
        void *value;
        while (!ck_ring_dequeue_spsc(&ring, buffer, &value)) {
        }
        assert((intptr_t)value == i);
    }
    pthread_join(producer, NULL);
}
