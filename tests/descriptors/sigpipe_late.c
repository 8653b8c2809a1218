// expect: verified
// SIGPIPE is ignored while another thread may be writing, and before anybody could get it.
#include <signal.h>

#include "outcome.h"

static int ends[2];

static void *writer(void *unused)
{
    write(ends[1], "a", 1);
    return unused;
}

int main(void)
{
    assert(!pipe(ends));
    pthread_t a = start(writer);
    signal(SIGPIPE, SIG_IGN);
    close(ends[0]);
    join(a);
    return 0;
}
