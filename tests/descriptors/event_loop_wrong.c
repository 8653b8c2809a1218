// expect: bug assertion native: no
// The event loop forgets what was asked for when it is told to stop.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int commands[2], stop, ep, done;

static int take(void)
{
    int32_t c;
    if (read(commands[0], &c, sizeof c) != sizeof c)
        return 0;
    done += c;
    return 1;
}

static void *loop(void *unused)
{
    for (;;) {
        struct epoll_event ev[4];
        int n = epoll_wait(ep, ev, 4, -1);
        for (int i = 0; i < n; i++) {
            if (ev[i].data.fd != stop) {
                take();
                continue;
            }
            return unused;
        }
    }
}

static void *client(void *unused)
{
    int32_t c = 1;
    assert(write(commands[1], &c, sizeof c) == sizeof c);
    return unused;
}

int main(void)
{
    assert(!pipe2(commands, O_NONBLOCK));
    stop = eventfd(0, 0);
    ep = epoll_create1(0);
    struct epoll_event e = {.events = EPOLLIN, .data.fd = commands[0]}, s = {.events = EPOLLIN, .data.fd = stop};
    assert(!epoll_ctl(ep, EPOLL_CTL_ADD, stop, &s) && !epoll_ctl(ep, EPOLL_CTL_ADD, commands[0], &e));
    pthread_t server = start(loop), a = start(client), b = start(client);
    join(a);
    join(b);
    assert(!eventfd_write(stop, 1));
    join(server);
    assert(done == 2);
    return 0;
}
