// expect: verified
// What holds of each kind of descriptor, and error returns.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>

static int events(int fd)
{
    struct pollfd p = {fd, POLLIN | POLLOUT | POLLRDHUP, 0};
    int n = poll(&p, 1, 0);
    assert(n == (p.revents != 0));
    return p.revents;
}

static void *all(void *unused)
{
    (void)unused;
    int p[2];
    char block[4096] = {0};
    assert(!pipe(p) && fcntl(p[1], F_SETPIPE_SZ, 4096) == 4096);
    assert(events(p[0]) == 0 && events(p[1]) == POLLOUT);
    assert(write(p[1], block, 1) == 1);
    assert(events(p[0]) == POLLIN && events(p[1]) == 0);
    assert(!close(p[1]));
    assert(events(p[0]) == (POLLIN | POLLHUP) && events(p[1]) == POLLNVAL);
    assert(read(p[0], block, 8) == 1 && events(p[0]) == POLLHUP);
    assert(!close(p[0]));
    assert(!pipe(p) && !close(p[0]));
    assert(events(p[1]) == (POLLOUT | POLLERR) && !close(p[1]));

    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, p));
    assert(events(p[0]) == POLLOUT && send(p[1], "x", 1, 0) == 1 && events(p[0]) == (POLLIN | POLLOUT));
    assert(!shutdown(p[1], SHUT_WR) && events(p[0]) == (POLLIN | POLLOUT | POLLRDHUP));
    assert(!close(p[1]) && events(p[0]) == (POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
    assert(!close(p[0]));

    uint64_t most = UINT64_MAX - 1;
    int e = eventfd(0, 0);
    assert(events(e) == POLLOUT && write(e, &most, 8) == 8 && events(e) == POLLIN);
    assert(read(e, &most, 8) == 8 && events(e) == POLLOUT);

    fd_set reads, writes, excepts;
    struct timeval zero = {0, 0}, wrong = {-1, 0};
    struct timespec bad = {0, 1000000000};
    assert(!pipe(p) && write(p[1], "x", 1) == 1);
    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&excepts);
    FD_SET(p[0], &reads);
    FD_SET(e, &reads);
    FD_SET(e, &writes);
    FD_SET(e, &excepts);
    int top = (p[0] > e ? p[0] : e) + 1;
    assert(select(top, &reads, &writes, &excepts, &zero) == 2);
    assert(FD_ISSET(p[0], &reads) && !FD_ISSET(e, &reads) && FD_ISSET(e, &writes) && !FD_ISSET(e, &excepts));
    assert(pselect(top, &reads, NULL, NULL, NULL, NULL) == 1);
    FAILS(select(top, &reads, NULL, NULL, &wrong), EINVAL);
    FAILS(pselect(top, &reads, NULL, NULL, &bad, NULL), EINVAL);
    struct pollfd fd = {p[0], POLLIN, 0};
    FAILS(ppoll(&fd, 1, &bad, NULL), EINVAL);
    FAILS(select(-1, NULL, NULL, NULL, &zero), EINVAL);
    assert(!close(p[0]) && !close(p[1]));
    FAILS(select(top, &reads, NULL, NULL, NULL), EBADF);
    assert(!close(e));
    return NULL;
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    all(NULL);
    join(start(all));
    return 0;
}
