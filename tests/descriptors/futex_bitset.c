// expect: verified
// Two sleepers with different bits: each is woken by its own and by nothing else.
#include "futex.h"

static _Atomic uint32_t word;
static _Atomic int first_woken, second_woken;

static void *first(void *unused)
{
    (void)unused;
    while (!atomic_load(&first_woken))
        futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    if (futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 2) == 0)
        assert(atomic_load(&second_woken));
    else
        assert(errno == EAGAIN);
    return NULL;
}

int main(void)
{
    pthread_t a = start(first), b = start(second);
    atomic_store(&first_woken, 1);
    long one = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 10, NULL, NULL, 1);
    atomic_store(&second_woken, 1);
    atomic_store(&word, 1);
    long other = futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 10, NULL, NULL, 2);
    assert(one <= 1 && other <= 1);
    long rest = futex_wake(&word, 10);
    join(a);
    join(b);
    outcome((int)(one + 10 * other + 20 * rest));
    return 0;
}
