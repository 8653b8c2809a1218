// expect: verified
// A question and its answer over a socket pair, shutting down, MSG_PEEK and MSG_WAITALL.
#include "outcome.h"

#include <sys/socket.h>

static int ends[2];
static int fact;

static void *server(void *unused)
{
    (void)unused;
    char c[4];
    assert(recv(ends[1], c, 4, MSG_WAITALL) == 4 && !memcmp(c, "abcd", 4));
    fact = 99;
    assert(send(ends[1], "yes", 3, MSG_NOSIGNAL) == 3);
    assert(recv(ends[1], c, 4, 0) == 0);
    assert(!shutdown(ends[1], SHUT_WR));
    return NULL;
}

int main(void)
{
    char c[8];
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    pthread_t a = start(server);
    assert(send(ends[0], "ab", 2, 0) == 2);
    assert(write(ends[0], "cd", 2) == 2);
    assert(recv(ends[0], c, 1, MSG_PEEK) == 1 && c[0] == 'y');
    assert(fact == 99);
    assert(read(ends[0], c, sizeof c) == 3 && !memcmp(c, "yes", 3));
    assert(!shutdown(ends[0], SHUT_WR));
    assert(read(ends[0], c, sizeof c) == 0);
    join(a);
    return 0;
}
