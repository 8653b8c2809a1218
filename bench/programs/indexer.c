// Indexer (Flanagan and Godefroid 2005): N threads insert four words each into a hash table with a lock per slot.
// Thread t (from 0) inserts w = 11m + t for m = 1..4 at slot 7w mod 128, or at the next free one.
//
// A word belongs to two threads only if their numbers differ by 11, and then to both at one slot; whoever comes second
// moves on to a slot nobody else uses (7(w + 55) = 7w + 1 mod 128, and w + 55 is no word up to N = 22). So each thread
// from number 11 on has three meetings of two orders each: 8^(N - 11) traces, 32,768 for N = 16.
#include <pthread.h>
#include <stdint.h>

#ifndef N
#define N 16
#endif

enum { SLOTS = 128, WORDS = 4, STEP = 11 };

static int table[SLOTS];
static pthread_mutex_t slot_lock[SLOTS];

static void insert(int word)
{
    for (int slot = word * 7 % SLOTS;; slot = (slot + 1) % SLOTS) {
        pthread_mutex_lock(&slot_lock[slot]);
        int empty = table[slot] == 0;
        if (empty)
            table[slot] = word;
        pthread_mutex_unlock(&slot_lock[slot]);
        if (empty)
            return;
    }
}

static void *worker(void *number)
{
    for (int m = 1; m <= WORDS; m++)
        insert(m * STEP + (int)(intptr_t)number);
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slot_lock[i], NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
