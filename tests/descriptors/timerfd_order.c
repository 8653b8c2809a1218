// expect: verified
// A timer and a pipe: either may come first, or both at a time; of two timers of one thread the earlier is never late.
#include "outcome.h"

#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

static int ends[2];

static void *writer(void *unused)
{
    assert(write(ends[1], "x", 1) == 1);
    return unused;
}

static int timer(int milliseconds)
{
    struct itimerspec at = {.it_value = {0, milliseconds * 1000000}};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(fd >= 0 && !timerfd_settime(fd, 0, &at, NULL));
    return fd;
}

int main(void)
{
    assert(!pipe(ends));
    int second = timer(20), first = timer(10), seen = 0;
    pthread_t t = start(writer);
    struct pollfd p[3] = {{second, POLLIN, 0}, {first, POLLIN, 0}, {ends[0], POLLIN, 0}};
    assert(poll(p, 3, -1) > 0);
    assert(!p[0].revents || p[1].revents);
    for (int i = 0; i < 3; i++)
        seen += p[i].revents ? 1 << i : 0;
    outcome(seen);
    uint64_t times;
    for (int i = 0; i < 2; i++)
        assert(read(p[i].fd, &times, 8) == 8 && times == 1);
    join(t);
    return 0;
}
