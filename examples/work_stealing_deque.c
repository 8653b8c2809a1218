// The deque of Chase and Lev, without growing, sequentially consistent: its owner pushes and takes at the bottom,
// thieves steal at the top. Only when one item is left do they meet, and the top decides by compare-and-swap.
//
// WRONG lets the owner take the last item without asking the top: a thief may steal it too.
//
// heddle check examples/work_stealing_deque.c        verified
// heddle check examples/work_stealing_deque_wrong.c  bug: assertion (an item is taken twice)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

enum { SLOTS = 4, ITEMS = 2 };

static atomic_int top, bottom; // items stand in the slots from top to bottom - 1, modulo SLOTS
static atomic_int slot[SLOTS];

// Owner only.
static void push(int item)
{
    int b = atomic_load(&bottom);
    atomic_store(&slot[b % SLOTS], item);
    atomic_store(&bottom, b + 1);
}

// Owner only: the newest item, or 0.
static int take(void)
{
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b); // from here on no thief starts on slot b unless it has seen the old bottom
    int t = atomic_load(&top);
    if (t < b)
        return atomic_load(&slot[b % SLOTS]);
    int item = 0;
    if (t == b) {
        item = atomic_load(&slot[b % SLOTS]);
#ifdef WRONG
        atomic_store(&top, t + 1);
#else
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            item = 0;
#endif
    }
    atomic_store(&bottom, b + 1);
    return item;
}

// Anybody: the oldest item, or 0 if there is none or another was faster.
static int steal(void)
{
    int t = atomic_load(&top);
    if (t >= atomic_load(&bottom))
        return 0;
    int item = atomic_load(&slot[t % SLOTS]);
    return atomic_compare_exchange_strong(&top, &t, t + 1) ? item : 0;
}

static int taken[ITEMS], stolen;

static void *owner(void *unused)
{
    (void)unused;
    for (int item = 1; item <= ITEMS; item++)
        push(item);
    for (int i = 0; i < ITEMS; i++)
        taken[i] = take();
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    stolen = steal();
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, owner, NULL);
    pthread_create(&two, NULL, thief, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);

    int times[ITEMS + 1] = {0};
    times[stolen]++;
    for (int i = 0; i < ITEMS; i++)
        times[taken[i]]++;
    for (int item = 1; item <= ITEMS; item++)
        assert(times[item] == 1);
    assert(take() == 0);
    return 0;
}
