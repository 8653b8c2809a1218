#define _GNU_SOURCE
#include "outcome.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

static long futex(_Atomic uint32_t *word, int command, uint32_t value, const void *time, _Atomic uint32_t *second,
                  uint32_t third)
{
    return syscall(SYS_futex, word, command, value, time, second, third);
}

static long futex_wait(_Atomic uint32_t *word, uint32_t value)
{
    return futex(word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static long futex_wake(_Atomic uint32_t *word, uint32_t most)
{
    return futex(word, FUTEX_WAKE_PRIVATE, most, NULL, NULL, 0);
}
