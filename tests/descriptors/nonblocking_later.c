// expect: verified
// O_NONBLOCK is set by another thread before or after a read begins to wait.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>

static int ends[2], answer;

static void *reader(void *unused)
{
    (void)unused;
    char c;
    ssize_t n = read(ends[0], &c, 1);
    answer = n == 1 ? 1 : 2;
    assert(n == 1 || errno == EAGAIN);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t a = start(reader);
    assert(!fcntl(ends[0], F_SETFL, O_NONBLOCK));
    assert(write(ends[1], "x", 1) == 1);
    join(a);
    outcome(answer);
    return 0;
}
