// expect: bug deadlock native: no
// The mutex forgets that somebody may wait: who unlocks wakes nobody.
#include "futex.h"

static _Atomic uint32_t mutex;

static void *user(void *unused)
{
    (void)unused;
    while (atomic_exchange(&mutex, 1))
        futex_wait(&mutex, 1);
    atomic_store(&mutex, 0);
    return NULL;
}

int main(void)
{
    pthread_t a = start(user), b = start(user);
    join(a);
    join(b);
    return 0;
}
