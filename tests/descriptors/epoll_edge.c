// expect: verified
// Edge-triggered and once: told again only after something new, or never.
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/epoll.h>

static int ends[2], epoll;
static struct epoll_event got[4];

static int now(void) { return epoll_wait(epoll, got, 4, 0); }

static void alone(void)
{
    char c[8];
    struct epoll_event edge = {.events = EPOLLIN | EPOLLET, .data.u32 = 5}, once = {.events = EPOLLIN | EPOLLONESHOT};
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &edge));
    assert(now() == 0);
    assert(write(ends[1], "ab", 2) == 2);
    assert(now() == 1 && got[0].events == EPOLLIN && got[0].data.u32 == 5);
    assert(now() == 0 && read(ends[0], c, 1) == 1 && now() == 0); // there is more, but nothing new
    assert(write(ends[1], "c", 1) == 1 && now() == 1 && now() == 0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &edge) && now() == 1 && now() == 0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &once) && now() == 1 && now() == 0);
    assert(write(ends[1], "d", 1) == 1 && now() == 0);
    assert(!epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &once) && now() == 1 && now() == 0);
    assert(read(ends[0], c, 8) == 3);
    assert(!epoll_ctl(epoll, EPOLL_CTL_DEL, ends[0], NULL));
}

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    epoll = epoll_create(1);
    assert(!pipe(ends));
    alone();
    struct epoll_event edge = {.events = EPOLLIN | EPOLLET};
    assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &edge));
    pthread_t a = start(writer);
    int told = 0, all = 0;
    while (all < 2) { // reads all there is each time, so nothing is lost
        char c[8];
        assert(epoll_wait(epoll, got, 4, -1) == 1);
        told++;
        ssize_t n = read(ends[0], c, sizeof c);
        assert(n > 0);
        all += (int)n;
    }
    join(a);
    outcome(told);
    return 0;
}
