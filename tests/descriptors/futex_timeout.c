// expect: verified
// Waiting with a time-out: woken, too late to wait, or out of time.
#include "futex.h"

static _Atomic uint32_t word;
static int answer;

static void *waiter(void *unused)
{
    (void)unused;
    struct timespec brief = {0, 2000000};
    long result = futex(&word, FUTEX_WAIT_PRIVATE, 0, &brief, NULL, 0);
    answer = result == 0 ? 1 : errno == EAGAIN ? 2 : errno == ETIMEDOUT ? 3 : 9;
    assert(answer != 9);
    return NULL;
}

int main(void)
{
    pthread_t a = start(waiter);
    atomic_store(&word, 1);
    long woken = futex_wake(&word, 1);
    join(a);
    assert(woken == (answer == 1));
    outcome(answer);
    return 0;
}
