// expect: verified
// A timer that another thread sets wakes a thread that sleeps, and what came before setting it is seen.
#include "outcome.h"

#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int timer, ep, data;

static void *waiter(void *unused)
{
    struct epoll_event event;
    uint64_t times;
    assert(epoll_wait(ep, &event, 1, -1) == 1 && event.data.fd == timer && event.events == EPOLLIN);
    assert(read(timer, &times, 8) == 8 && times == 1);
    assert(data == 1);
    return unused;
}

int main(void)
{
    struct itimerspec soon = {.it_value = {0, 1000000}};
    struct epoll_event in = {.events = EPOLLIN | EPOLLET};
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    ep = epoll_create1(0);
    in.data.fd = timer;
    assert(!epoll_ctl(ep, EPOLL_CTL_ADD, timer, &in));
    pthread_t t = start(waiter);
    data = 1;
    assert(!timerfd_settime(timer, 0, &soon, NULL));
    join(t);
    return 0;
}
