// expect: verified
// Sleepers of one word: one is woken, one moved to another word and woken there.
#include "futex.h"

static _Atomic uint32_t word, target;
static _Atomic int awake;

static void *sleeper(void *unused)
{
    (void)unused;
    if (futex_wait(&word, 0))
        assert(errno == EAGAIN);
    atomic_fetch_add(&awake, 1);
    return NULL;
}

int main(void)
{
    pthread_t a = start(sleeper), b = start(sleeper);
    long touched = futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1, &target, 0);
    assert(touched >= 0 && touched <= 2);
    long there = futex_wake(&target, 5);
    assert(there == (touched == 2));
    atomic_store(&word, 1); // whoever comes now does not sleep
    long late = futex_wake(&word, 5);
    join(a);
    join(b);
    assert(awake == 2);
    outcome((int)(touched * 10 + there + late * 3));
    return 0;
}
