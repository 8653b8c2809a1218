// expect: verified
#define _GNU_SOURCE
#include "outcome.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static void *all(void *unused)
{
    (void)unused;
    int p[2], epoll = epoll_create1(0), event = eventfd(1, 0);
    struct epoll_event in = {.events = EPOLLIN, .data.u64 = 1}, both = {.events = EPOLLIN | EPOLLOUT}, got[4];
    FAILS(epoll_create(0), EINVAL);
    FAILS(epoll_create1(77), EINVAL);
    assert(!pipe(p));
    FAILS(epoll_ctl(p[0], EPOLL_CTL_ADD, p[1], &in), EINVAL);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_ADD, epoll, &in), EINVAL);
    FAILS(epoll_ctl(epoll, 9, p[0], &in), EINVAL);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_ADD, -1, &in), EBADF);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_MOD, p[0], &in), ENOENT);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_DEL, p[0], &in), ENOENT);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_ADD, p[0], NULL), EFAULT);
    FAILS(epoll_wait(p[0], got, 4, 0), EINVAL);
    FAILS(epoll_wait(epoll, got, 0, 0), EINVAL);
    assert(epoll_wait(epoll, got, 4, 0) == 0 && epoll_pwait(epoll, got, 4, 1, NULL) == 0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, p[0], &in));
    FAILS(epoll_ctl(epoll, EPOLL_CTL_ADD, p[0], &in), EEXIST);
    struct pollfd fd = {epoll, POLLIN, 0};
    assert(poll(&fd, 1, 0) == 0);
    assert(write(p[1], "x", 1) == 1 && poll(&fd, 1, 0) == 1);
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, event, &both));
    assert(epoll_wait(epoll, got, 4, 0) == 2);
    // one at a time, each has its turn
    assert(epoll_wait(epoll, got, 1, 0) == 1 && epoll_wait(epoll, got + 1, 1, 0) == 1);
    assert((got[0].data.u64 == 1) != (got[1].data.u64 == 1));
    // closing takes it out
    assert(!close(event) && epoll_wait(epoll, got, 4, 0) == 1);
    FAILS(epoll_ctl(epoll, EPOLL_CTL_DEL, event, NULL), EBADF);
    assert(!close(p[1]) && epoll_wait(epoll, got, 4, 0) == 1 && got[0].events == (EPOLLIN | EPOLLHUP));
    assert(!close(p[0]) && epoll_wait(epoll, got, 4, 0) == 0);
    assert(!close(epoll));
    FAILS(epoll_wait(epoll, got, 4, 0), EBADF);
    return NULL;
}

int main(void)
{
    all(NULL);
    join(start(all));
    return 0;
}
