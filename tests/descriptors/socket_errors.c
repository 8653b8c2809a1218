// expect: verified
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

static void streams(void)
{
    int s[2], n;
    char c[8];
    FAILS(socketpair(AF_UNIX, 77, 0, s), EINVAL);
    FAILS(socketpair(AF_UNIX, SOCK_RDM, 0, s), ESOCKTNOSUPPORT);
    FAILS(socketpair(AF_UNIX, SOCK_STREAM, 5, s), EPROTONOSUPPORT);
    FAILS(socketpair(AF_INET, SOCK_STREAM, 0, s), EOPNOTSUPP);
    assert(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, s));
    assert(fcntl(s[0], F_GETFL) == (O_RDWR | O_NONBLOCK) && fcntl(s[0], F_GETFD) == FD_CLOEXEC);
    FAILS(recv(s[0], c, 1, 0), EAGAIN);
    assert(!fcntl(s[0], F_SETFL, 0));
    FAILS(recv(s[0], c, 1, MSG_DONTWAIT), EAGAIN);
    assert(send(s[1], "abc", 3, 0) == 3 && !ioctl(s[0], FIONREAD, &n) && n == 3);
    FAILS(shutdown(s[0], 9), EINVAL);
    assert(recv(s[0], c, 8, 0) == 3);
    assert(send(s[1], "abc", 3, 0) == 3 && !close(s[0])); // unread
    FAILS(recv(s[1], c, 1, 0), ECONNRESET);
    assert(recv(s[1], c, 1, 0) == 0);
    FAILS(send(s[1], c, 1, MSG_NOSIGNAL), EPIPE);
    assert(!close(s[1]));
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, s) && !shutdown(s[0], SHUT_RD));
    assert(read(s[0], c, 1) == 0);
    FAILS(send(s[1], c, 1, MSG_NOSIGNAL), EPIPE);
    assert(send(s[0], "x", 1, 0) == 1 && read(s[1], c, 8) == 1);
    assert(!close(s[0]) && !close(s[1]));
}

static void messages(int type)
{
    int s[2];
    char c[8];
    assert(!socketpair(AF_UNIX, type | SOCK_NONBLOCK, 0, s));
    assert(send(s[0], "abcdef", 6, 0) == 6 && send(s[0], "xy", 2, 0) == 2);
    assert(recv(s[1], c, 3, MSG_PEEK) == 3 && recv(s[1], c, 3, MSG_TRUNC) == 6 && !memcmp(c, "abc", 3));
    struct iovec part = {c, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    assert(recvmsg(s[1], &message, 0) == 1 && message.msg_flags == MSG_TRUNC && c[0] == 'x');
    FAILS(recv(s[1], c, 1, 0), EAGAIN);
    assert(!shutdown(s[0], SHUT_WR));
    FAILS(send(s[0], c, 1, MSG_NOSIGNAL), EPIPE);
    if (type == SOCK_SEQPACKET)
        assert(recv(s[1], c, 1, 0) == 0);
    else
        FAILS(recv(s[1], c, 1, 0), EAGAIN);
    assert(!close(s[0]));
    if (type == SOCK_SEQPACKET) {
        FAILS(send(s[1], c, 1, MSG_NOSIGNAL), EPIPE);
    } else {
        FAILS(send(s[1], c, 1, 0), ECONNREFUSED);
        FAILS(send(s[1], c, 1, 0), ENOTCONN);
    }
    assert(!close(s[1]));
}

static void full(void)
{
    int s[2], n = 0;
    assert(!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, s));
    while (send(s[0], "x", 1, 0) == 1)
        n++;
    assert(errno == EAGAIN && n >= 2);
    char c;
    assert(recv(s[1], &c, 1, 0) == 1 && send(s[0], "x", 1, 0) == 1);
    assert(!close(s[0]) && !close(s[1]));
}

static void *all(void *unused)
{
    (void)unused;
    streams();
    messages(SOCK_SEQPACKET);
    messages(SOCK_DGRAM);
    full();
    return NULL;
}

int main(void)
{
    all(NULL);
    join(start(all));
    return 0;
}
