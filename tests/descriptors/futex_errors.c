// expect: verified
// What the calls answer when nothing is to be done, also with another thread there.
#include "futex.h"

static _Atomic uint32_t word = 5, other;
static _Atomic int ready;

static void answers(void)
{
    const struct timespec brief = {0, 1000}, wrong = {0, 1000000000}, past = {0, 1}, negative = {-1, 0};
    FAILS(futex_wait(&word, 4), EAGAIN);
    FAILS(futex(&word, FUTEX_WAIT, 5, &brief, NULL, 0), ETIMEDOUT);
    FAILS(futex(&word, FUTEX_WAIT, 4, &brief, NULL, 0), EAGAIN);
    FAILS(futex(&word, FUTEX_WAIT, 5, &wrong, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_WAIT, 5, &negative, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_WAIT_BITSET, 5, &past, NULL, 1), ETIMEDOUT);
    FAILS(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 5, &past, NULL, 1), ETIMEDOUT);
    FAILS(futex(&word, FUTEX_WAIT_BITSET, 5, NULL, NULL, 0), EINVAL);
    FAILS(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0), EINVAL);
    FAILS(syscall(SYS_futex, (char *)&word + 1, FUTEX_WAIT, 5, NULL, NULL, 0), EINVAL);
    FAILS(syscall(SYS_futex, NULL, FUTEX_WAIT, 5, NULL, NULL, 0), EFAULT);
    FAILS(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 4), EAGAIN);
    assert(futex_wake(&word, 1) == 0);
    assert(futex(&word, FUTEX_REQUEUE, 1, (void *)1, &other, 0) == 0);
    assert(futex(&word, FUTEX_CMP_REQUEUE, 1, (void *)1, &other, 5) == 0);
}

static void *also(void *unused)
{
    (void)unused;
    atomic_store(&ready, 1);
    answers();
    return NULL;
}

int main(void)
{
    answers();
    pthread_t a = start(also);
    join(a);
    assert(ready == 1);
    assert(syscall(SYS_gettid) == syscall(SYS_getpid) && gettid() == getpid());
    return 0;
}
