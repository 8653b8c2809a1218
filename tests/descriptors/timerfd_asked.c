// expect: verified
// Asking again and again whether a timer has expired comes to an end.
#include "outcome.h"

#include <sched.h>
#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void *asks(void *unused)
{
    uint64_t times;
    while (read(timer, &times, 8) < 0)
        sched_yield();
    return unused;
}

int main(void)
{
    struct itimerspec soon = {.it_value = {0, 1000000}};
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    pthread_t t = start(asks);
    assert(!timerfd_settime(timer, 0, &soon, NULL));
    join(t);
    return 0;
}
