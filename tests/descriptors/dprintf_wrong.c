// expect: bug race native: no says: changes
// What one thread prints to a pipe is changed by another meanwhile.
#include "outcome.h"

static int ends[2];
static char changes[4] = "abc";

static void *prints(void *unused)
{
    dprintf(ends[1], "%s\n", changes);
    return unused;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t t = start(prints);
    changes[0] = 'x';
    join(t);
    return 0;
}
