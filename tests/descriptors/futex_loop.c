// expect: verified
// A sleeper that is woken too early and sleeps again has taken the wake-up: that is no idle circle.
#include "futex.h"

static _Atomic uint32_t word;
static _Atomic int done;

static void *sleeper(void *unused)
{
    (void)unused;
    while (!atomic_load(&done))
        futex_wait(&word, 0);
    return NULL;
}

int main(void)
{
    pthread_t a = start(sleeper);
    long early = futex_wake(&word, 1);
    long again = futex_wake(&word, 1);
    atomic_store(&done, 1);
    atomic_store(&word, 1);
    long late = futex_wake(&word, 1);
    join(a);
    outcome((int)(early + 2 * again + 4 * late));
    return 0;
}
