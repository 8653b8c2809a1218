// expect: verified
// Options of socket pairs are kept, and SIGPIPE may be ignored while there are other threads, before anybody writes.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *close_it(void *none)
{
    close(ends[1]);
    return none;
}

int main(void)
{
    pthread_t t;
    int on = 1, type = 0, error = 5;
    socklen_t size = sizeof on;
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    assert(!setsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on));
    assert(!setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &(int){1 << 20}, sizeof(int)));
    on = 0;
    assert(!getsockopt(ends[0], SOL_SOCKET, SO_KEEPALIVE, &on, &size) && on == 1 && size == sizeof on);
    assert(!getsockopt(ends[1], SOL_SOCKET, SO_TYPE, &type, &size) && type == SOCK_STREAM);
    assert(!getsockopt(ends[1], SOL_SOCKET, SO_ERROR, &error, &size) && !error);
    pthread_create(&t, 0, close_it, 0);
    signal(SIGPIPE, SIG_IGN);
    ssize_t n = write(ends[0], "x", 1);
    assert(n == 1 || n == -1);
    pthread_join(t, 0);
}
