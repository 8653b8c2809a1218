// expect: verified
// Two threads wait at one epoll descriptor: one message is told to one of them (edge), or to both (level).
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

static int epoll, stop;
static int told[2], pipes[2];

static void wait_for(int who)
{
    struct epoll_event got;
    struct timespec none = {0, 0};
    for (;;) {
        assert(epoll_pwait2(epoll, &got, 1, NULL, NULL) == 1);
        if (got.data.fd == stop)
            break;
        told[who]++;
    }
    assert(epoll_pwait2(epoll, &got, 1, &none, NULL) == 1 && got.data.fd == stop);
}

static void *one(void *unused) { (void)unused; wait_for(0); return NULL; }
static void *two(void *unused) { (void)unused; wait_for(1); return NULL; }

int main(void)
{
    struct epoll_event edge = {.events = EPOLLIN | EPOLLET}, level = {.events = EPOLLIN};
    epoll = epoll_create1(0);
    stop = eventfd(0, 0);
    assert(!pipe(pipes));
    edge.data.fd = pipes[0];
    level.data.fd = stop;
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &edge) && !epoll_ctl(epoll, EPOLL_CTL_ADD, stop, &level));
    pthread_t a = start(one), b = start(two);
    assert(write(pipes[1], "x", 1) == 1);
    assert(!eventfd_write(stop, 1));
    join(a);
    join(b);
    assert(told[0] + told[1] <= 1);
    outcome(told[0] + 2 * told[1]);
    return 0;
}
