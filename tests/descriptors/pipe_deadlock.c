// expect: bug deadlock native: no says: waits to read from the pipe made at
// Each waits for the other to write first.
#include "outcome.h"

static int there[2], back[2];

static void *partner(void *unused)
{
    (void)unused;
    char c;
    assert(read(there[0], &c, 1) == 1);
    assert(write(back[1], "y", 1) == 1);
    return NULL;
}

int main(void)
{
    char c;
    assert(!pipe(there));
    assert(!pipe(back));
    pthread_t a = start(partner);
    assert(read(back[0], &c, 1) == 1);
    assert(write(there[1], "x", 1) == 1);
    join(a);
    return 0;
}
