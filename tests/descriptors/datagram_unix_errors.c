// expect: verified
// What calls on Unix datagram sockets answer, right or wrong, is what the kernel answers.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BAD(call, e) assert((call) == -1 && errno == (e))
#define TO(name) (struct sockaddr *)&(name), SIZE
enum { SIZE = offsetof(struct sockaddr_un, sun_path) + 8 };

static int events(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN | POLLOUT};
    assert(poll(&p, 1, 100) >= 0);
    return p.revents;
}

int main(void)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX}, b = a, from,
                       file = {.sun_family = AF_UNIX, .sun_path = "/nowhere/x"};
    int server = socket(AF_UNIX, SOCK_DGRAM, 0), client = socket(AF_UNIX, SOCK_DGRAM, 0),
        other = socket(AF_UNIX, SOCK_DGRAM, 0);
    socklen_t size = sizeof from;
    char text[16];
    memcpy(a.sun_path, "\0heddlea", 8);
    memcpy(b.sun_path, "\0heddleb", 8);
    BAD(send(client, "x", 1, 0), ENOTCONN);
    BAD(sendto(client, "x", 1, 0, TO(a)), ECONNREFUSED);
    BAD(connect(client, TO(a)), ECONNREFUSED);
    BAD(sendto(client, "x", 1, 0, (struct sockaddr *)&file, sizeof file), ENOENT);
    assert(!bind(server, TO(a)) && sendto(client, "one", 3, 0, TO(a)) == 3);
    assert(recvfrom(server, text, sizeof text, 0, (struct sockaddr *)&from, &size) == 3 && size == 0);
    assert(!bind(client, TO(b)) && sendto(client, "two", 3, 0, TO(a)) == 3);
    size = sizeof from;
    assert(recvfrom(server, text, 2, 0, (struct sockaddr *)&from, &size) == 2 && size == SIZE);
    assert(sendto(server, "back", 4, 0, (struct sockaddr *)&from, size) == 4 &&
           recv(client, text, sizeof text, 0) == 4);
    assert(!connect(client, TO(a)));
    int sent = 0;
    while (send(client, "x", 1, MSG_DONTWAIT) == 1)
        sent++;
    assert(errno == EAGAIN && sent > 1 && events(client) == 0 && events(server) == (POLLIN | POLLOUT));
    BAD(sendto(other, "x", 1, MSG_DONTWAIT, TO(a)), EAGAIN);
    assert(recv(server, text, 1, 0) == 1 && events(client) == POLLOUT);
    assert(!connect(server, TO(b)));
    BAD(sendto(other, "x", 1, MSG_DONTWAIT, TO(a)), EPERM);
    BAD(connect(other, TO(a)), EPERM);
    close(server);
    BAD(send(client, "x", 1, 0), ECONNREFUSED);
    BAD(send(client, "x", 1, 0), ENOTCONN);
    close(client);
    close(other);
    return 0;
}
