// A random program with the seed of its argument: threads that add, store, swap, lock, try and choose, some of which create another
// one; with an assertion somewhere, which most seeds let fail in some interleaving and others in none.
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef SIZE
#define SIZE 3
#endif
#ifndef SEED
#define SEED 1
#endif

enum { THREADS = 3, WORDS = 3, LOCKS = 2, OPS = SIZE, KINDS = 8 };

static uint64_t seed;
static atomic_int word[WORDS];
static int guarded[LOCKS];
static pthread_mutex_t lock[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

// The n-th number that a thread draws: the same in every interleaving.
static unsigned draw(unsigned thread, unsigned n)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15ull + thread * 0xd1b54a32d192ed03ull + n * 0x94d049bb133111ebull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return (unsigned)(x >> 40);
}

static void *leaf(void *unused)
{
    (void)unused;
    atomic_fetch_add(&word[draw(9, 0) % WORDS], 3);
    return NULL;
}

static void run_in_child(void)
{
    pthread_t child;
    pthread_create(&child, NULL, leaf, NULL);
    pthread_join(child, NULL);
}

static void take_turn(unsigned me, unsigned n, int *seen)
{
    unsigned what = draw(me, 4 * n), where = draw(me, 4 * n + 1) % WORDS, which = draw(me, 4 * n + 2) % LOCKS;
    int value = (int)(draw(me, 4 * n + 3) % 4);
    switch (what % KINDS) {
    case 0:
        atomic_store(&word[where], value);
        break;
    case 1:
        *seen += atomic_load(&word[where]);
        break;
    case 2:
        *seen += atomic_fetch_add(&word[where], value);
        break;
    case 3:
        atomic_compare_exchange_strong(&word[where], &(int){value}, 7);
        break;
    case 4:
        pthread_mutex_lock(&lock[which]);
        guarded[which] = guarded[which] * 2 + (int)me;
        *seen += guarded[which];
        pthread_mutex_unlock(&lock[which]);
        break;
    case 5:
        pthread_mutex_lock(&lock[which]);
        pthread_mutex_lock(&lock[!which]);
        guarded[which] += guarded[!which] + 1;
        pthread_mutex_unlock(&lock[!which]);
        pthread_mutex_unlock(&lock[which]);
        break;
    case 6:
        if (!pthread_mutex_trylock(&lock[which])) {
            guarded[which]++;
            pthread_mutex_unlock(&lock[which]);
        }
        break;
    default:
        if (draw(8, 0) % 3 == 0)
            run_in_child();
        else
            *seen += heddle_choose(2);
    }
    assert(draw(8, 1) % 2 || *seen != (int)(draw(8, 2) % 9) + 1);
}

static void *run(void *number)
{
    unsigned me = (unsigned)(uintptr_t)number;
    int seen = 0;
    for (unsigned i = 0; i < OPS; i++)
        take_turn(me, i, &seen);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
#ifdef STACK
    pthread_attr_setstacksize(&attributes, STACK);
#endif
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : SEED;
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], &attributes, run, (void *)(i + 1));
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
