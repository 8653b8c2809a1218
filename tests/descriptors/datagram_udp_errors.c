// expect: verified
// What calls on UDP sockets answer, right or wrong, is what the kernel answers.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define BAD(call, e) assert((call) == -1 && errno == (e))
#define TO(address) (struct sockaddr *)&(address), sizeof(address)

static int events(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT | POLLRDHUP};
    assert(poll(&p, 1, 100) >= 0);
    return p.revents;
}

static int option(int fd, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    assert(!getsockopt(fd, SOL_SOCKET, name, &value, &size));
    return value;
}

static struct sockaddr_in name_of(int fd)
{
    struct sockaddr_in name;
    socklen_t size = sizeof name;
    assert(!getsockname(fd, (struct sockaddr *)&name, &size) && size == sizeof name);
    return name;
}

static struct sockaddr_in server_at, nobody_at, from;
static int server, client;
static char text[16];

static void unnamed(void)
{
    socklen_t size = sizeof from;
    assert(events(client) == POLLOUT && option(client, SO_TYPE) == SOCK_DGRAM &&
           option(client, SO_PROTOCOL) == IPPROTO_UDP);
    BAD(send(client, "x", 1, 0), EDESTADDRREQ);
    BAD(recv(client, text, 1, MSG_DONTWAIT), EAGAIN);
    BAD(listen(client, 1), EOPNOTSUPP);
    BAD(accept(client, NULL, NULL), EOPNOTSUPP);
    BAD(getpeername(client, (struct sockaddr *)&from, &size), ENOTCONN);
    assert(name_of(client).sin_port); // it has been given one, to send
}

static void messages(void)
{
    int next;
    socklen_t size = sizeof from;
    assert(sendto(client, "hello", 5, 0, TO(server_at)) == 5 && name_of(client).sin_port);
    assert(sendto(client, "", 0, 0, TO(server_at)) == 0 && events(server) == (POLLIN | POLLOUT));
    assert(!ioctl(server, FIONREAD, &next) && next == 5);
    assert(recvfrom(server, text, 3, MSG_PEEK | MSG_TRUNC, (struct sockaddr *)&from, &size) == 5);
    struct iovec part = {text, 3};
    struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &part, .msg_iovlen = 1};
    assert(recvmsg(server, &message, 0) == 3 && message.msg_flags == MSG_TRUNC && message.msg_namelen == sizeof from);
    assert(from.sin_port == name_of(client).sin_port && from.sin_addr.s_addr == htonl(INADDR_LOOPBACK));
    assert(recv(server, text, 3, 0) == 0 && events(server) == POLLOUT);
    BAD(recv(server, text, 3, MSG_DONTWAIT), EAGAIN);
    assert(sendto(server, "back", 4, 0, TO(from)) == 4 && recv(client, text, sizeof text, 0) == 4);
    assert(sendto(client, "x", 1, 0, TO(nobody_at)) == 1 && events(client) == POLLOUT);
    static char large[65508];
    assert(sendto(client, large, 65507, 0, TO(server_at)) == 65507 && recv(server, large, sizeof large, 0) == 65507);
    BAD(sendto(client, large, 65508, 0, TO(server_at)), EMSGSIZE);
    BAD(sendto(client, "x", 1, 0, (struct sockaddr *)&server_at, 8), EINVAL);
}

static void connected(void)
{
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    struct sockaddr_in client_at;
    assert(!connect(client, TO(nobody_at)) && send(client, "x", 1, 0) == 1 && events(client) == (POLLOUT | POLLERR));
    BAD(send(client, "x", 1, 0), ECONNREFUSED);
    assert(send(client, "x", 1, 0) == 1);
    BAD(recv(client, text, 1, 0), ECONNREFUSED);
    BAD(recv(client, text, 1, MSG_DONTWAIT), EAGAIN);
    assert(send(client, "x", 1, 0) == 1 && option(client, SO_ERROR) == ECONNREFUSED && option(client, SO_ERROR) == 0);
    client_at = name_of(client);
    assert(sendto(client, "to", 2, 0, TO(server_at)) == 2 && recv(server, text, sizeof text, 0) == 2);
    assert(sendto(server, "unheard", 7, 0, TO(client_at)) == 7 && events(server) == POLLOUT);
    BAD(recv(client, text, sizeof text, MSG_DONTWAIT), EAGAIN);
    assert(!connect(client, &none, sizeof none));
    BAD(send(client, "x", 1, 0), EDESTADDRREQ);
}

static void shut_down(void)
{
    assert(!connect(client, TO(server_at)) && !shutdown(client, SHUT_RD) && recv(client, text, 1, 0) == 0);
    assert(events(client) == (POLLIN | POLLOUT | POLLRDHUP) && !shutdown(client, SHUT_WR));
    BAD(send(client, "x", 1, 0), EPIPE);
    assert(events(client) == (POLLIN | POLLOUT | POLLRDHUP | POLLHUP));
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    server = socket(AF_INET, SOCK_DGRAM, 0);
    client = socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP);
    int other = socket(AF_INET, SOCK_DGRAM, 0), stream = socket(AF_INET, SOCK_STREAM, 0);
    unnamed();
    server_at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    nobody_at = server_at;
    assert(!bind(server, TO(server_at)) && !bind(other, TO(nobody_at)));
    server_at = name_of(server);
    nobody_at = name_of(other);
    BAD(bind(server, TO(server_at)), EINVAL);
    close(other);
    other = socket(AF_INET, SOCK_DGRAM, 0);
    BAD(bind(other, TO(server_at)), EADDRINUSE);
    assert(!bind(stream, TO(server_at))); // a port of another kind
    messages();
    connected();
    shut_down();
    close(server);
    close(client);
    close(other);
    close(stream);
    return 0;
}
