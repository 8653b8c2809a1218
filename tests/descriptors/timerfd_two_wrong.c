// expect: bug livelock native: no
// The timer that is to end it is only read.
#include "outcome.h"

#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>

static int beat, end;

static int timer(long milliseconds, long again)
{
    struct itimerspec at = {{0, again * 1000000}, {0, milliseconds * 1000000}};
    int fd = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(!timerfd_settime(fd, 0, &at, NULL));
    return fd;
}

static void *loop(void *unused)
{
    for (;;) {
        struct pollfd p[2] = {{beat, POLLIN, 0}, {end, POLLIN, 0}};
        uint64_t times;
        assert(poll(p, 2, -1) > 0);
        for (int i = 0; i < 2; i++)
            if (p[i].revents)
                assert(read(p[i].fd, &times, 8) == 8);
    }
    return unused;
}

int main(void)
{
    beat = timer(1, 1);
    end = timer(5, 0);
    join(start(loop));
    return 0;
}
