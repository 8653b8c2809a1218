// expect: verified
// What calls on TCP and Unix sockets answer, right or wrong, is what the kernel answers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BAD(call, e) assert((call) == -1 && errno == (e))
int main(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(20001)}, got;
    socklen_t s = sizeof got;
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), x = socket(AF_INET, SOCK_STREAM, 0),
        one = 1, v = 7;
    socklen_t vs = sizeof v;
    assert(l >= 0 && c >= 0);
    BAD(connect(c, (struct sockaddr *)&a, sizeof a), ECONNREFUSED);
    BAD(accept(l, 0, 0), EINVAL);
    assert(!setsockopt(l, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    assert(!bind(l, (struct sockaddr *)&a, sizeof a));
    BAD(bind(l, (struct sockaddr *)&a, sizeof a), EINVAL);
    BAD(connect(c, (struct sockaddr *)&a, sizeof a), ECONNREFUSED);
    assert(!listen(l, 3));
    BAD(bind(x, (struct sockaddr *)&a, sizeof a), EADDRINUSE);
    assert(!getsockopt(l, SOL_SOCKET, SO_ACCEPTCONN, &v, &vs) && v == 1);
    BAD(getpeername(c, (struct sockaddr *)&got, &s), ENOTCONN);
    char b[32];
    BAD(recv(c, b, 1, 0), ENOTCONN);
    struct pollfd p = {.fd = l, .events = POLLIN};
    assert(poll(&p, 1, 0) == 0);
    assert(!connect(c, (struct sockaddr *)&a, sizeof a));
    BAD(connect(c, (struct sockaddr *)&a, sizeof a), EISCONN);
    assert(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
    assert(send(c, "abc", 3, 0) == 3); // before it is accepted
    s = sizeof got;
    memset(&got, 0, sizeof got);
    int f = accept4(l, (struct sockaddr *)&got, &s, SOCK_CLOEXEC | SOCK_NONBLOCK);
    assert(f >= 0 && s == sizeof got && got.sin_family == AF_INET && got.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    assert(fcntl(f, F_GETFL) & O_NONBLOCK && fcntl(f, F_GETFD) == FD_CLOEXEC);
    struct sockaddr_in me;
    s = sizeof me;
    assert(!getsockname(c, (struct sockaddr *)&me, &s) && me.sin_port == got.sin_port);
    s = sizeof me;
    assert(!getpeername(c, (struct sockaddr *)&me, &s) && me.sin_port == a.sin_port);
    s = sizeof me;
    assert(!getsockname(f, (struct sockaddr *)&me, &s) && me.sin_port == a.sin_port);
    assert(recv(f, b, sizeof b, 0) == 3 && !memcmp(b, "abc", 3));
    BAD(recv(f, b, sizeof b, 0), EAGAIN);
    assert(!setsockopt(c, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one));
    v = 0;
    vs = sizeof v;
    assert(!getsockopt(c, IPPROTO_TCP, TCP_NODELAY, &v, &vs) && v == 1);
    assert(!shutdown(c, SHUT_WR));
    assert(recv(f, b, sizeof b, 0) == 0);
    assert(send(f, "xyz", 3, 0) == 3 && recv(c, b, 2, 0) == 2 && recv(c, b, 2, 0) == 1);
    close(f);
    assert(recv(c, b, 2, 0) == 0);
    close(c);
    fcntl(l, F_SETFL, O_NONBLOCK);
    BAD(accept(l, 0, 0), EAGAIN);
    int n = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    BAD(connect(n, (struct sockaddr *)&a, sizeof a), EINPROGRESS);
    p = (struct pollfd){.fd = n, .events = POLLOUT};
    assert(poll(&p, 1, 100) == 1 && p.revents == POLLOUT);
    v = 9;
    vs = sizeof v;
    assert(!getsockopt(n, SOL_SOCKET, SO_ERROR, &v, &vs) && !v);
    close(l); // with a connection that nobody accepted
    p = (struct pollfd){.fd = n, .events = POLLIN};
    assert(poll(&p, 1, 100) == 1 && p.revents & POLLIN);
    ssize_t r = recv(n, b, 1, 0);
    assert(r == 0 || (r == -1 && errno == ECONNRESET));
    close(n);
    close(x);
    struct sockaddr_un u = {.sun_family = AF_UNIX};
    memcpy(u.sun_path, "\0heddle", 7);
    socklen_t us = offsetof(struct sockaddr_un, sun_path) + 7;
    l = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    c = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    BAD(connect(c, (struct sockaddr *)&u, us), ECONNREFUSED);
    assert(!bind(l, (struct sockaddr *)&u, us) && !listen(l, 0));
    assert(!connect(c, (struct sockaddr *)&u, us));
    f = accept(l, 0, 0);
    assert(f >= 0);
    assert(write(c, "one", 3) == 3 && write(c, "three", 5) == 5 && read(f, b, sizeof b) == 3 &&
           read(f, b, sizeof b) == 5);
    struct sockaddr_un name;
    s = sizeof name;
    assert(!getsockname(l, (struct sockaddr *)&name, &s) && s == us);
    s = sizeof name;
    assert(!getsockname(c, (struct sockaddr *)&name, &s) && s == sizeof(sa_family_t));
    close(c);
    close(f);
    close(l);
    return 0;
}
