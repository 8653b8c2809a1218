// expect: verified
// A writer waits while the pipe is full; a short write is never torn apart, a long one goes in pieces.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>

static int ends[2];
static char long_one[6000], short_one[3000], got[12000];

static void *writer(void *unused)
{
    (void)unused;
    memset(long_one, 'L', sizeof long_one);
    assert(write(ends[1], long_one, sizeof long_one) == sizeof long_one);
    return NULL;
}

static void *other(void *unused)
{
    (void)unused;
    memset(short_one, 's', sizeof short_one);
    assert(write(ends[1], short_one, sizeof short_one) == sizeof short_one);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
    pthread_t a = start(writer), b = start(other);
    size_t all = 0;
    while (all < sizeof long_one + sizeof short_one) {
        ssize_t n = read(ends[0], got + all, sizeof got - all);
        assert(n > 0);
        all += (size_t)n;
    }
    join(a);
    join(b);
    char *at = memchr(got, 's', all);
    size_t run = 0;
    while (at + run < got + all && at[run] == 's')
        run++;
    assert(run == sizeof short_one);
    outcome(at == got ? 1 : at == got + sizeof long_one ? 2 : 3);
    return 0;
}
