// expect: bug deadlock native: no says: waits to read from the signalfd
// Two signals of one number are told as one, if nobody reads in between.
#include "outcome.h"

#include <signal.h>
#include <sys/signalfd.h>

static int signals;

static void *counts(void *unused)
{
    struct signalfd_siginfo info;
    for (int i = 0; i < 2; i++)
        assert(read(signals, &info, sizeof info) == sizeof info);
    return unused;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
    signals = signalfd(-1, &set, 0);
    pthread_t t = start(counts);
    assert(!pthread_kill(t, SIGUSR1));
    assert(!pthread_kill(t, SIGUSR1));
    join(t);
    return 0;
}
