// expect: verified
// The time runs out, or it does not.
#define _GNU_SOURCE
#include "outcome.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

static int ends[2];

static void *writer(void *unused)
{
    (void)unused;
    assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends));
    struct pollfd fd = {ends[0], POLLIN, 0};
    struct timespec brief = {0, 1000};
    struct timeval short_time = {0, 1};
    fd_set set;
    assert(poll(&fd, 1, 0) == 0 && poll(&fd, 1, 1) == 0 && poll(NULL, 0, 1) == 0);
    pthread_t a = start(writer);
    int early = poll(&fd, 1, 1);
    int late = ppoll(&fd, 1, &brief, NULL);
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    int last = select(ends[0] + 1, &set, NULL, NULL, &short_time);
    assert(early <= late && late <= last && last == FD_ISSET(ends[0], &set));
    join(a);
    assert(poll(&fd, 1, -1) == 1);
    outcome(early + late + last);
    return 0;
}
