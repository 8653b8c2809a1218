// expect: verified
// Which of several sleepers is woken is not promised.
#include "futex.h"

static _Atomic uint32_t word;
static int first_one;
static _Atomic int turn;

static void *sleep_as(int who)
{
    if (!futex_wait(&word, 0) && atomic_fetch_add(&turn, 1) == 0)
        first_one = who;
    return NULL;
}

static void *one(void *unused) { (void)unused; return sleep_as(1); }
static void *two(void *unused) { (void)unused; return sleep_as(2); }

int main(void)
{
    pthread_t a = start(one), b = start(two);
    long n = futex_wake(&word, 1);
    atomic_store(&word, 1);
    long rest = futex_wake(&word, 7);
    assert(n + rest <= 2);
    join(a);
    join(b);
    outcome((int)(n * 10 + rest * 3 + first_one));
    return 0;
}
