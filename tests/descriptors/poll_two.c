// expect: verified
// Waiting for whichever of two pipes has something first.
#include "outcome.h"

#include <poll.h>

static int one[2], two[2], data[2];

static void *first(void *unused)
{
    (void)unused;
    data[0] = 1;
    assert(write(one[1], "1", 1) == 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    data[1] = 2;
    assert(write(two[1], "2", 1) == 1);
    return NULL;
}

int main(void)
{
    char c;
    assert(!pipe(one) && !pipe(two));
    struct pollfd fds[3] = {{one[0], POLLIN, 0}, {two[0], POLLIN, 0}, {-1, POLLIN, 7}};
    pthread_t a = start(first), b = start(second);
    int n = poll(fds, 3, -1), seen = 0;
    assert((n == 1 || n == 2) && fds[2].revents == 0);
    assert(n == (fds[0].revents == POLLIN) + (fds[1].revents == POLLIN));
    if (fds[0].revents) {
        assert(read(one[0], &c, 1) == 1 && c == '1' && data[0] == 1);
        seen += 1;
    }
    if (fds[1].revents) {
        assert(read(two[0], &c, 1) == 1 && c == '2' && data[1] == 2);
        seen += 2;
    }
    join(a);
    join(b);
    outcome(seen);
    return 0;
}
