#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

struct head {
    int who;
    unsigned size;
};

static struct sockaddr_in address(int port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

int wire_listen(int port)
{
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in a = address(port);
    if (s < 0)
        return -1;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (!bind(s, (struct sockaddr *)&a, sizeof a) && !listen(s, 16))
        return s;
    close(s);
    return -1;
}

int wire_connect(int port)
{
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct sockaddr_in a = address(port);
    struct timeval short_time = {.tv_usec = 100000};
    if (s < 0)
        return -1;
    setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &short_time, sizeof short_time);
    if (!connect(s, (struct sockaddr *)&a, sizeof a))
        return s;
    close(s);
    return -1;
}

bool wire_send(int socket, int who, const void *data, size_t size)
{
    unsigned char frame[sizeof(struct head) + WIRE_MOST];
    struct head h = {who, (unsigned)size};
    size_t all = sizeof h + size;
    if (size > WIRE_MOST)
        return false;
    memcpy(frame, &h, sizeof h);
    memcpy(frame + sizeof h, data, size);
    return send(socket, frame, all, MSG_NOSIGNAL) == (ssize_t)all;
}

bool wire_receive(struct connection *c)
{
    memmove(c->data, c->data + c->read, c->used - c->read);
    c->used -= c->read;
    c->read = 0;
    if (c->used == sizeof c->data)
        return false;
    ssize_t got = recv(c->socket, c->data + c->used, sizeof c->data - c->used, MSG_DONTWAIT);
    if (got > 0)
        c->used += (size_t)got;
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool wire_next(struct connection *c, struct wire_frame *f)
{
    struct head h;
    if (c->used - c->read < sizeof h)
        return false;
    memcpy(&h, c->data + c->read, sizeof h);
    if (h.size > WIRE_MOST || c->used - c->read - sizeof h < h.size)
        return false;
    *f = (struct wire_frame){h.who, h.size, c->data + c->read + sizeof h};
    c->read += sizeof h + h.size;
    return true;
}
