// expect: verified
// What calls about timers answer, in one thread.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <time.h>

#define MILLI 1000000

static void refusals(int fd)
{
    struct itimerspec wrong = {.it_value = {0, 1000000000}}, off = {0}, left;
    uint64_t times;
    FAILS(timerfd_create(99, 0), EINVAL);
    FAILS(timerfd_create(CLOCK_MONOTONIC, 12345), EINVAL);
    FAILS(timerfd_settime(fd, 64, &off, NULL), EINVAL);
    FAILS(timerfd_settime(fd, 0, &wrong, NULL), EINVAL);
    FAILS(write(fd, &times, 8), EINVAL);
    FAILS(read(fd, &times, 8), EAGAIN);
    int ends[2];
    assert(!pipe(ends));
    FAILS(timerfd_settime(ends[0], 0, &off, NULL), EINVAL);
    FAILS(timerfd_gettime(ends[0], &left), EINVAL);
}

static void settings(int fd)
{
    struct itimerspec once = {.it_value = {3600, 0}}, every = {{7200, 0}, {3600, 0}}, off = {0}, left;
    assert(!timerfd_gettime(fd, &left) && !left.it_value.tv_sec && !left.it_value.tv_nsec);
    assert(!timerfd_settime(fd, 0, &once, NULL));
    assert(!timerfd_settime(fd, 0, &every, NULL));
    assert(!timerfd_settime(fd, 0, &off, NULL));
    assert(!timerfd_gettime(fd, &left) && !left.it_value.tv_sec && !left.it_interval.tv_sec);
}

// A thread that has slept past the time of its timer finds that it has expired, and how often.
static void sleeps(int fd)
{
    struct itimerspec once = {.it_value = {0, 10 * MILLI}}, every = {{0, 10 * MILLI}, {0, 10 * MILLI}}, left;
    uint64_t times;
    assert(!timerfd_settime(fd, 0, &once, NULL));
    usleep(30000);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    assert(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
    FAILS(read(fd, &times, 7), EINVAL);
    assert(!timerfd_gettime(fd, &left) && !left.it_value.tv_sec && !left.it_value.tv_nsec);
    assert(read(fd, &times, 8) == 8 && times == 1);
    FAILS(read(fd, &times, 8), EAGAIN);
    assert(!timerfd_settime(fd, 0, &every, NULL));
    usleep(35000);
    assert(read(fd, &times, 8) == 8 && times >= 3);
}

// By the clock, and in the past.
static void points_in_time(int fd)
{
    struct timespec start, end;
    uint64_t times;
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct itimerspec at = {.it_value = {start.tv_sec, start.tv_nsec}};
    assert(!timerfd_settime(fd, TFD_TIMER_ABSTIME, &at, NULL));
    assert(read(fd, &times, 8) == 8 && times == 1);
    struct itimerspec later = {.it_value = {0, 20 * MILLI}};
    fcntl(fd, F_SETFL, 0);
    assert(!timerfd_settime(fd, 0, &later, NULL));
    assert(read(fd, &times, 8) == 8 && times == 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    assert((end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec >= 20 * MILLI);
}

int main(void)
{
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    assert(fd > 2 && fcntl(fd, F_GETFL) == (O_RDWR | O_NONBLOCK) && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    refusals(fd);
    settings(fd);
    sleeps(fd);
    points_in_time(fd);
    int copy = dup(fd);
    assert(!close(fd));
    uint64_t times;
    FAILS(read(fd, &times, 8), EBADF);
    struct itimerspec soon = {.it_value = {0, 1}};
    assert(!timerfd_settime(copy, 0, &soon, NULL) && read(copy, &times, 8) == 8);
    return close(copy);
}
