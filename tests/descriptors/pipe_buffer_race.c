// expect: bug race native: no
// The buffer of a write is read by it.
#include "outcome.h"

static int ends[2];
static char buffer[8];

static void *writer(void *unused)
{
    (void)unused;
    assert(write(ends[1], buffer, sizeof buffer) == sizeof buffer);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t a = start(writer);
    buffer[3] = 1;
    join(a);
    return 0;
}
