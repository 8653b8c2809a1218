// expect: verified
// A mutex by hand: 0 free, 1 locked, 2 locked and perhaps waited for.
#include "futex.h"

static _Atomic uint32_t mutex;
static int count, order;

static void lock(void)
{
    uint32_t seen = 0;
    if (atomic_compare_exchange_strong(&mutex, &seen, 1))
        return;
    if (seen != 2)
        seen = atomic_exchange(&mutex, 2);
    while (seen) {
        futex_wait(&mutex, 2);
        seen = atomic_exchange(&mutex, 2);
    }
}

static void unlock(void)
{
    if (atomic_exchange(&mutex, 0) == 2)
        futex_wake(&mutex, 1);
}

static void *first(void *unused)
{
    (void)unused;
    lock();
    count++;
    order = order * 10 + 1;
    unlock();
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    lock();
    count++;
    order = order * 10 + 2;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t a = start(first), b = start(second);
    join(a);
    join(b);
    assert(count == 2);
    outcome(order);
    return 0;
}
