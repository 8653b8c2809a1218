// expect: verified
// Level-triggered: told as long as it holds; two sources.
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

static int ends[2], event;

static void *writer(void *unused)
{
    (void)unused;
    assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

static void *signaller(void *unused)
{
    (void)unused;
    assert(!eventfd_write(event, 1));
    return NULL;
}

int main(void)
{
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    assert(!pipe(ends) && (event = eventfd(0, 0)) > 2);
    struct epoll_event in = {.events = EPOLLIN, .data.fd = ends[0]}, other = {.events = EPOLLIN, .data.fd = event}, got[4];
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &in) && !epoll_ctl(epoll, EPOLL_CTL_ADD, event, &other));
    pthread_t a = start(writer), b = start(signaller);
    int first = 0, reads = 0;
    while (reads < 2) {
        int n = epoll_wait(epoll, got, 4, -1);
        assert(n == 1 || n == 2);
        for (int i = 0; i < n; i++) {
            assert(got[i].events == EPOLLIN);
            if (!first)
                first = n == 2 ? 3 : got[i].data.fd == event ? 2 : 1;
            char c;
            eventfd_t value;
            assert(got[i].data.fd == event ? !eventfd_read(event, &value) : read(ends[0], &c, 1) == 1);
            reads++;
        }
    }
    join(a);
    join(b);
    assert(epoll_wait(epoll, got, 4, 0) == 0);
    outcome(first);
    return 0;
}
