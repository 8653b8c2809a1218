// expect: bug race native: no
// A time-out that is taken for the end of the other thread's work.
#include "outcome.h"

#include <poll.h>
#include <sys/timerfd.h>

static int ends[2], result;

static void *work(void *unused)
{
    result = 1;
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

int main(void)
{
    struct itimerspec long_enough = {.it_value = {3600, 0}};
    assert(!pipe(ends));
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(!timerfd_settime(timer, 0, &long_enough, NULL));
    pthread_t t = start(work);
    struct pollfd p[2] = {{timer, POLLIN, 0}, {ends[0], POLLIN, 0}};
    assert(poll(p, 2, -1) > 0);
    assert(result == 1);
    join(t);
    return 0;
}
