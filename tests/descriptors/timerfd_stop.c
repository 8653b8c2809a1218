// expect: verified
// A loop that does something now and then, until it is told to stop.
#include "outcome.h"

#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static int stop, ticks, timer;

static void *loop(void *unused)
{
    for (;;) {
        struct pollfd p[2] = {{timer, POLLIN, 0}, {stop, POLLIN, 0}};
        assert(poll(p, 2, -1) > 0);
        uint64_t times;
        if (p[0].revents)
            assert(read(timer, &times, 8) == 8);
        if (p[1].revents)
            return unused;
    }
}

int main(void)
{
    struct itimerspec every = {{0, 1000000}, {0, 1000000}};
    stop = eventfd(0, 0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    assert(!timerfd_settime(timer, 0, &every, NULL));
    pthread_t t = start(loop);
    assert(!eventfd_write(stop, 1));
    join(t);
    return ticks;
}
