// expect: bug deadlock native: no
// A timer that nobody has set never expires.
#include "outcome.h"

#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void *waiter(void *unused)
{
    uint64_t times;
    assert(read(timer, &times, 8) == 8);
    return unused;
}

int main(void)
{
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    join(start(waiter));
    return 0;
}
