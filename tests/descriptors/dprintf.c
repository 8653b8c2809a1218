// expect: verified
// What two threads print to one socket arrives whole, in either order.
#include "outcome.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

static int ends[2];
static const char *names[2] = {"one", "two"};

static void *prints(void *name)
{
    assert(dprintf(ends[1], "%s has %d\n", *(const char **)name, 7) == 10);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    char got[21] = "";
    assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    assert(!pthread_create(&a, NULL, prints, &names[0]) && !pthread_create(&b, NULL, prints, &names[1]));
    for (size_t n = 0; n < 20;)
        n += (size_t)read(ends[0], got + n, 20 - n);
    outcome(!strcmp(got, "one has 7\ntwo has 7\n"));
    assert(!strcmp(got, "one has 7\ntwo has 7\n") || !strcmp(got, "two has 7\none has 7\n"));
    join(a);
    join(b);
    assert(!dprintf(ends[1], "%s", ""));
    assert(!fcntl(ends[1], F_SETFL, O_NONBLOCK));
    while (dprintf(ends[1], "%1000d", 1) == 1000)
        ;
    assert(errno == EAGAIN);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    FAILS(dprintf(ends[1], "x"), EPIPE);
    close(ends[1]);
    FAILS(dprintf(ends[1], "x"), EBADF);
    return 0;
}
