// expect: verified
// What a TCP socket answers once its peer has closed, reset or shut down the connection is what the kernel answers: the first
// thing written to a closed peer is accepted, and only the next is refused.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BAD(call, e) assert((call) == -1 && errno == (e))
enum { BOTH = POLLIN | POLLOUT };

static struct sockaddr_in at = {.sin_family = AF_INET};
static int listening, client, server;

static void join(void)
{
    client = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(client, (struct sockaddr *)&at, sizeof at));
    server = accept(listening, NULL, NULL);
    assert(server >= 0);
}

static int events(void)
{
    struct pollfd p = {.fd = client, .events = BOTH | POLLRDHUP};
    assert(poll(&p, 1, 100) >= 0);
    return p.revents;
}

static int error(void)
{
    int number = -1;
    socklen_t size = sizeof number;
    assert(!getsockopt(client, SOL_SOCKET, SO_ERROR, &number, &size));
    return number;
}

static void closed_after_reading(void)
{
    char b[8];
    join();
    assert(write(server, "ab", 2) == 2 && !close(server));
    assert(events() == (BOTH | POLLRDHUP) && write(client, "x", 1) == 1);
    assert(events() == (BOTH | POLLRDHUP | POLLERR | POLLHUP));
    assert(read(client, b, 1) == 1 && read(client, b, 1) == 1 && read(client, b, 1) == 0);
    assert(error() == EPIPE && error() == 0);
    BAD(write(client, "x", 1), EPIPE);
    close(client);
}

static void closed_unread(void)
{
    char b[8];
    join();
    assert(write(client, "abc", 3) == 3 && !close(server));
    assert(events() == (BOTH | POLLRDHUP | POLLERR | POLLHUP));
    BAD(write(client, "x", 1), ECONNRESET);
    BAD(write(client, "x", 1), EPIPE);
    assert(events() == (BOTH | POLLRDHUP | POLLHUP) && read(client, b, 1) == 0);
    close(client);
    join();
    assert(write(client, "abc", 3) == 3 && write(server, "1", 1) == 1 && !close(server));
    assert(read(client, b, 8) == 1);
    BAD(read(client, b, 1), ECONNRESET);
    assert(read(client, b, 1) == 0);
    close(client);
    join();
    assert(write(client, "abc", 3) == 3 && !close(server) && error() == ECONNRESET && error() == 0);
    assert(read(client, b, 1) == 0);
    BAD(write(client, "x", 1), EPIPE);
    close(client);
}

static void closed_abruptly(void)
{
    struct linger none = {.l_onoff = 1};
    char b[8];
    join();
    assert(!setsockopt(server, SOL_SOCKET, SO_LINGER, &none, sizeof none) && !close(server));
    BAD(read(client, b, 1), ECONNRESET);
    close(client);
}

static void shut_down(void)
{
    char b[8];
    join();
    assert(!shutdown(server, SHUT_RD) && events() == POLLOUT && write(client, "x", 1) == 1);
    assert(read(server, b, 1) == 1 && read(server, b, 1) == 0);
    assert(!shutdown(server, SHUT_WR) && events() == (BOTH | POLLRDHUP) && read(client, b, 1) == 0);
    assert(!shutdown(client, SHUT_WR) && events() == (BOTH | POLLRDHUP | POLLHUP));
    BAD(write(client, "x", 1), EPIPE);
    close(client);
    close(server);
}

int main(void)
{
    char b[8];
    socklen_t size = sizeof at;
    signal(SIGPIPE, SIG_IGN);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listening = socket(AF_INET, SOCK_STREAM, 0);
    assert(!bind(listening, (struct sockaddr *)&at, sizeof at) && !listen(listening, 4));
    assert(!getsockname(listening, (struct sockaddr *)&at, &size));
    closed_after_reading();
    closed_unread();
    closed_abruptly();
    shut_down();
    client = socket(AF_INET, SOCK_STREAM, 0);
    assert(!connect(client, (struct sockaddr *)&at, sizeof at) && !close(listening)); // nobody accepted it
    BAD(read(client, b, 1), ECONNRESET);
    close(client);
    return 0;
}
