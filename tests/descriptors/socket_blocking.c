// expect: verified
// Sending waits for room, receiving for a message; shutting down and closing wake who waits.
#define _GNU_SOURCE
#include "outcome.h"

#include <sys/socket.h>
#include <sys/uio.h>

static int datagrams[2], packets[2], stream[2];
static int sent, ends;

static void *sender(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3; i++)
        assert(sendto(datagrams[0], "mm", 2, 0, NULL, 0) == 2);
    sent = 1;
    assert(send(packets[0], "done", 4, 0) == 4);
    return NULL;
}

static void *receiver(void *unused)
{
    (void)unused;
    char c;
    assert(recv(stream[0], &c, 1, 0) == 0);
    ends = 1;
    assert(!close(packets[1]));
    return NULL;
}

int main(void)
{
    char c[8];
    struct sockaddr from;
    socklen_t length = sizeof from;
    assert(!socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) && !socketpair(AF_UNIX, SOCK_SEQPACKET, 0, packets) &&
           !socketpair(AF_UNIX, SOCK_STREAM, 0, stream));
    int waiting = 0;
    while (send(datagrams[0], "x", 1, MSG_DONTWAIT) == 1)
        waiting++;
    pthread_t a = start(sender);
    for (int i = 0; i < waiting; i++)
        assert(recvfrom(datagrams[1], c, 8, 0, &from, &length) == 1 && length == 0);
    for (int i = 0; i < 3; i++)
        assert(recv(datagrams[1], c, 8, 0) == 2);
    struct iovec parts[2] = {{c, 2}, {c + 4, 4}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    assert(recvmsg(packets[1], &message, 0) == 4 && message.msg_flags == 0 && c[0] == 'd' && c[4] == 'n' && sent == 1);
    join(a);
    pthread_t b = start(receiver);
    assert(!shutdown(stream[1], SHUT_WR));
    assert(recv(packets[0], c, 1, 0) == 0 && ends == 1);
    join(b);
    return 0;
}
