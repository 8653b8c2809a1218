// expect: verified
// Two writers and one reader of two rings without locks; the reader polls both.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 2, ITEMS = 4 };

static struct {
    _Atomic int slot[SLOTS];
    _Atomic unsigned head, tail;
} rings[2];

static void *writer(void *number)
{
    int id = (int)(long)number;
    for (int n = 1; n <= ITEMS; n++) {
        unsigned tail = atomic_load(&rings[id].tail);
        while (tail - atomic_load(&rings[id].head) == SLOTS)
            ;
        atomic_store(&rings[id].slot[tail % SLOTS], n);
        atomic_store(&rings[id].tail, tail + 1);
    }
    return 0;
}

static void *reader(void *nothing)
{
    int last[2] = {0, 0};
    while (last[0] < ITEMS || last[1] < ITEMS)
        for (int id = 0; id < 2; id++) {
            unsigned head = atomic_load(&rings[id].head);
            if (head == atomic_load(&rings[id].tail))
                continue;
            int value = atomic_load(&rings[id].slot[head % SLOTS]);
            atomic_store(&rings[id].head, head + 1);
            assert(value == last[id] + 1);
            last[id] = value;
        }
    return nothing;
}

int main(void)
{
    pthread_t threads[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, i < 2 ? writer : reader, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
