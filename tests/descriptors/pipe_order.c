// expect: verified
// What was written before the bytes is seen by who reads them; two writers may come in either order.
#define _GNU_SOURCE
#include "outcome.h"

static int ends[2], data[2];

static void *first(void *unused)
{
    (void)unused;
    data[0] = 10;
    assert(write(ends[1], "a", 1) == 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    data[1] = 20;
    assert(write(ends[1], "b", 1) == 1);
    return NULL;
}

int main(void)
{
    char got[2];
    assert(!pipe(ends));
    pthread_t a = start(first), b = start(second);
    for (int i = 0; i < 2; i++) {
        assert(read(ends[0], &got[i], 1) == 1);
        assert(got[i] == 'a' ? data[0] == 10 : data[1] == 20);
    }
    join(a);
    join(b);
    assert(!close(ends[1]));
    char none;
    assert(read(ends[0], &none, 1) == 0);
    assert(!close(ends[0]));
    outcome(got[0] == 'a' ? 1 : 2);
    return 0;
}
