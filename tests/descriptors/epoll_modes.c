// expect: verified
// When an epoll tells of a descriptor: by level, by edge, once, exclusively; and when select does. The kernel does the same.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#define BAD(call, e) assert((call) == -1 && errno == (e))

static int epoll, ends[2];
static char b[4];

static void watch(int command, uint32_t events)
{
    struct epoll_event event = {.events = events};
    assert(!epoll_ctl(epoll, command, ends[0], &event));
}

// What it tells now; 0: nothing.
static uint32_t told(void)
{
    struct epoll_event event = {0};
    return epoll_wait(epoll, &event, 1, 0) == 1 ? event.events : 0;
}

static void put(void)
{
    assert(write(ends[1], "xy", 2) == 2);
}

static void get(void)
{
    assert(read(ends[0], b, 1) == 1);
}

static void by_level(void)
{
    watch(EPOLL_CTL_ADD, EPOLLIN);
    assert(!told());
    put();
    assert(told() == EPOLLIN && told() == EPOLLIN);
    get();
    assert(told() == EPOLLIN);
    get();
    assert(!told());
    watch(EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
    assert(told() == EPOLLOUT && told() == EPOLLOUT);
}

static void by_edge(void)
{
    watch(EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT | EPOLLET);
    assert(told() == EPOLLOUT && !told());
    put();
    assert(told() == (EPOLLIN | EPOLLOUT) && !told());
    get();
    assert(!told()); // there is more, but no edge
    put();
    assert(told() == (EPOLLIN | EPOLLOUT) && !told());
    watch(EPOLL_CTL_MOD, EPOLLIN | EPOLLET);
    assert(told() == EPOLLIN && !told()); // asked for anew
}

static void once(void)
{
    watch(EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT);
    assert(told() == EPOLLIN && !told());
    put();
    assert(!told());
    watch(EPOLL_CTL_MOD, EPOLLIN | EPOLLONESHOT);
    assert(told() == EPOLLIN && !told());
    watch(EPOLL_CTL_DEL, 0);
}

static void exclusively(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT | EPOLLEXCLUSIVE};
    BAD(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event), EINVAL);
    watch(EPOLL_CTL_ADD, EPOLLIN | EPOLLEXCLUSIVE);
    assert(told() & EPOLLIN && told() & EPOLLIN);
    event.events = EPOLLIN;
    BAD(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &event), EINVAL);
    event.events = EPOLLIN | EPOLLEXCLUSIVE;
    BAD(epoll_ctl(epoll, EPOLL_CTL_MOD, ends[0], &event), EINVAL);
    watch(EPOLL_CTL_DEL, 0);
}

static int selected(int fd, int *writable)
{
    fd_set reading, writing;
    struct timeval none = {0};
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_SET(fd, &reading);
    FD_SET(fd, &writing);
    int n = select(fd + 1, &reading, &writing, NULL, &none);
    *writable = FD_ISSET(fd, &writing);
    assert(n == FD_ISSET(fd, &reading) + *writable);
    return FD_ISSET(fd, &reading);
}

static void by_select(void)
{
    int writable;
    assert(selected(ends[0], &writable) && writable);
    while (recv(ends[0], b, 1, MSG_DONTWAIT) == 1)
        ;
    assert(!selected(ends[0], &writable) && writable);
    assert(!shutdown(ends[1], SHUT_WR) && selected(ends[0], &writable) && writable);
}

int main(void)
{
    epoll = epoll_create1(0);
    assert(epoll >= 0 && !socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    by_level();
    by_edge();
    once();
    exclusively();
    by_select();
    return 0;
}
