// expect: bug race native: no
// Reading from another pipe orders nothing.
#include "outcome.h"

static int one[2], other[2], data;

static void *writer(void *unused)
{
    (void)unused;
    assert(write(one[1], "x", 1) == 1);
    data = 1;
    assert(write(other[1], "x", 1) == 1);
    return NULL;
}

int main(void)
{
    char c;
    assert(!pipe(one) && !pipe(other));
    pthread_t a = start(writer);
    assert(read(one[0], &c, 1) == 1);
    int seen = data;
    assert(read(other[0], &c, 1) == 1);
    join(a);
    return seen > 1;
}
