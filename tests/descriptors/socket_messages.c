// expect: verified
// Boundaries of messages, by two senders.
#include "outcome.h"

#include <sys/socket.h>
#include <sys/uio.h>

static int ends[2];

static void *one(void *unused)
{
    (void)unused;
    assert(send(ends[0], "one", 3, 0) == 3);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    struct iovec parts[2] = {{"tw", 2}, {"oo", 2}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    assert(sendmsg(ends[0], &message, 0) == 4);
    return NULL;
}

static int receive(void)
{
    char c[8];
    ssize_t n = recv(ends[1], c, sizeof c, 0);
    assert(n == 3 ? !memcmp(c, "one", 3) : n == 4 && !memcmp(c, "twoo", 4));
    return n == 3;
}

int main(void)
{
    assert(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends));
    pthread_t a = start(one), b = start(two);
    int first = receive();
    assert(receive() == !first);
    join(a);
    join(b);
    outcome(first);
    return 0;
}
