// Mail boxes on atomics: who delivers claims a box by compare and swap and publishes it; who reads polls a few times.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { BOXES = 2, SENDERS = 4, TRIES = 3 };
enum { FREE, CLAIMED, READY };

static struct {
    atomic_int state;
    int letter;
} box[BOXES];

static atomic_int delivered, read_count;

static void *sender(void *letter)
{
    for (int i = 0; i < BOXES; i++) {
        int expected = FREE;
        if (!atomic_compare_exchange_strong(&box[i].state, &expected, CLAIMED))
            continue;
        box[i].letter = (int)(long)letter;
        atomic_fetch_add_explicit(&delivered, 1, memory_order_relaxed);
        atomic_store_explicit(&box[i].state, READY, memory_order_release);
        break;
    }
    return NULL;
}

static void *reader(void *unused)
{
    for (int round = 0; round < TRIES; round++)
        for (int i = 0; i < BOXES; i++)
            if (atomic_load_explicit(&box[i].state, memory_order_acquire) == READY) {
                assert(box[i].letter > 0);
                atomic_fetch_add_explicit(&read_count, 1, memory_order_relaxed);
            }
    return unused;
}

int main(void)
{
    pthread_t thread[SENDERS + 1];
    for (long i = 0; i < SENDERS; i++)
        pthread_create(&thread[i], NULL, sender, (void *)(i + 1));
    pthread_create(&thread[SENDERS], NULL, reader, NULL);
    for (int i = 0; i <= SENDERS; i++)
        pthread_join(thread[i], NULL);
    assert(delivered == BOXES && read_count <= TRIES * BOXES);
    return 0;
}
