// expect: bug deadlock native: no
// A loop says that it sleeps after it has looked for work; who brings work in between does not wake it.
#include "outcome.h"

#include <poll.h>

static int ends[2];
static _Atomic int work, asleep;

static void *loop(void *unused)
{
    while (!work) {
        struct pollfd p = {ends[0], POLLIN, 0};
        char c;
        asleep = 1;
        assert(poll(&p, 1, -1) == 1 && read(ends[0], &c, 1) == 1);
        asleep = 0;
    }
    return unused;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t t = start(loop);
    work = 1;
    if (asleep)
        assert(write(ends[1], "x", 1) == 1);
    join(t);
    return 0;
}
