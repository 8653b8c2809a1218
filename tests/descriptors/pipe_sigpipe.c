// expect: bug signal native: no says: SIGPIPE
// The reader goes away; nobody ignores the signal.
#include "outcome.h"

static int ends[2];

static void *reader(void *unused)
{
    (void)unused;
    char c;
    assert(read(ends[0], &c, 1) == 1);
    close(ends[0]);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t a = start(reader);
    assert(write(ends[1], "a", 1) == 1);
    write(ends[1], "b", 1);
    join(a);
    return 0;
}
