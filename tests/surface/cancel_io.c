// expect: verified reach=5
// Cancellation while reading, writing and polling: before the call, and while it waits; not by a bare system call.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "reach.h"

static int ends[2];
static char big[70000];

static void *reads(void *unused)
{
    char c;
    assert(read(ends[0], &c, 1) == 1);
    REACHED(1);
    return unused;
}

// The pipe takes the first part; the thread ends with the rest in its hands.
static void *writes(void *unused)
{
    write(ends[1], big, sizeof big);
    assert(!"nobody reads");
    return unused;
}

static void *polls(void *unused)
{
    struct pollfd one = {.fd = ends[0], .events = POLLIN};
    poll(&one, 1, -1);
    assert(!"nobody writes");
    return unused;
}

static void *receives(void *unused)
{
    char c;
    recv(ends[0], &c, 1, 0);
    assert(!"nobody sends");
    return unused;
}

static void *calls(void *unused)
{
    char c;
    assert(syscall(SYS_read, ends[0], &c, 1) == 1);
    REACHED(2);
    pthread_testcancel();
    assert(!"it was asked to end before that");
    return unused;
}

static pthread_t start(void *(*routine)(void *))
{
    pthread_t t;
    assert(!pthread_create(&t, NULL, routine, NULL));
    return t;
}

static void *end(pthread_t t)
{
    void *value;
    assert(!pthread_join(t, &value));
    return value;
}

// It has read the byte, or it has ended and the byte is still there.
static void before_and_after(void)
{
    char c;
    assert(!pipe(ends));
    pthread_t t = start(reads);
    assert(write(ends[1], "a", 1) == 1 && !pthread_cancel(t));
    void *value = end(t);
    assert(!fcntl(ends[0], F_SETFL, O_NONBLOCK));
    if (read(ends[0], &c, 1) == 1) {
        assert(value == PTHREAD_CANCELED);
        REACHED(3);
    } else {
        assert(errno == EAGAIN);
        REACHED(4);
    }
    close(ends[0]);
    close(ends[1]);
}

static void while_waiting(void *(*routine)(void *), int sockets)
{
    assert(sockets ? !socketpair(AF_UNIX, SOCK_STREAM, 0, ends) : !pipe(ends));
    pthread_t t = start(routine);
    assert(!pthread_cancel(t) && end(t) == PTHREAD_CANCELED);
    close(ends[0]);
    close(ends[1]);
}

static void by_number(void)
{
    assert(!pipe(ends));
    pthread_t t = start(calls);
    assert(!pthread_cancel(t) && write(ends[1], "a", 1) == 1);
    assert(end(t) == PTHREAD_CANCELED);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    before_and_after();
    while_waiting(writes, 0);
    while_waiting(polls, 0);
    while_waiting(receives, 1);
    by_number();
    REACHED(5);
    return 0;
}
