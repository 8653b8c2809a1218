// expect: bug deadlock native: no
// One expiry is read by one thread only.
#include "outcome.h"

#include <stdint.h>
#include <sys/timerfd.h>

static int timer;

static void *reader(void *unused)
{
    uint64_t times;
    assert(read(timer, &times, 8) == 8);
    return unused;
}

int main(void)
{
    struct itimerspec soon = {.it_value = {0, 1000000}};
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    assert(!timerfd_settime(timer, 0, &soon, NULL));
    pthread_t one = start(reader), two = start(reader);
    join(one);
    join(two);
    return 0;
}
