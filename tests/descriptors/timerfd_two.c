// expect: verified
// A timer that repeats and one that ends it: the second expires at last, however often the first does. Taking expiries as fast
// as it can, the loop finds none left.
#include "outcome.h"

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int beat, end, ep;

static void watch(int *fd, long milliseconds, long again, unsigned how)
{
    struct itimerspec at = {{0, again * 1000000}, {0, milliseconds * 1000000}};
    struct epoll_event event = {.events = EPOLLIN | how};
    event.data.fd = *fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    assert(!timerfd_settime(*fd, 0, &at, NULL) && !epoll_ctl(ep, EPOLL_CTL_ADD, *fd, &event));
}

static void *loop(void *unused)
{
    for (;;) {
        struct epoll_event event;
        uint64_t times;
        assert(epoll_wait(ep, &event, 1, -1) == 1);
        if (event.data.fd == end)
            return unused;
        while (read(beat, &times, 8) == 8)
            ;
    }
}

int main(void)
{
    ep = epoll_create1(0);
    watch(&beat, 1, 1, EPOLLET);
    watch(&end, 5, 0, 0);
    join(start(loop));
    return 0;
}
