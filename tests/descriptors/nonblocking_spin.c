// expect: verified
// Asking again and again ends.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>

static int ends[2];

static void *writer(void *unused)
{
    (void)unused;
    assert(write(ends[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    char c;
    assert(!pipe2(ends, O_NONBLOCK));
    pthread_t a = start(writer);
    while (read(ends[0], &c, 1) < 0)
        assert(errno == EAGAIN);
    assert(c == 'x');
    join(a);
    return 0;
}
