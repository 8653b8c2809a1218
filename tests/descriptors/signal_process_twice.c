// expect: bug signal native: no
// The thread that waits for the signal is told to stop and lets it through when it has had one; a second one ends the process.
#include "outcome.h"

#include <signal.h>

static sigset_t set;

static void *waits(void *unused)
{
    int number;
    assert(!sigwait(&set, &number));
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return unused;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t t = start(waits);
    kill(getpid(), SIGTERM);
    kill(getpid(), SIGTERM);
    join(t);
    return 0;
}
