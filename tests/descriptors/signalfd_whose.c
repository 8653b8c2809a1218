// expect: verified
// A signalfd tells of the signals of who reads it, and of those of the process; sigwait takes from the same.
#include "outcome.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

static int signals;
static sigset_t set;

static void *other(void *unused)
{
    struct signalfd_siginfo info[3];
    struct pollfd p = {signals, POLLIN, 0};
    assert(!poll(&p, 1, 0)); // what was sent to main
    FAILS(read(signals, info, sizeof info), EAGAIN);
    FAILS(read(signals, info, 3), EINVAL);
    assert(!raise(SIGUSR2));
    assert(!raise(SIGUSR1));
    assert(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
    assert(read(signals, info, sizeof info) == 2 * sizeof *info);
    assert(info[0].ssi_signo == SIGUSR1 && info[1].ssi_signo == SIGUSR2 && info[0].ssi_code == SI_TKILL);
    return unused;
}

static void *takes(void *to)
{
    struct timespec none = {0};
    siginfo_t info;
    int taken = sigtimedwait(&set, &info, &none);
    assert(taken == SIGTERM || errno == EAGAIN);
    *(int *)to = taken == SIGTERM;
    return NULL;
}

int main(void)
{
    struct signalfd_siginfo info;
    sigset_t pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(!kill(getpid(), 0));
    FAILS(kill(getpid(), 999), EINVAL);
    signals = signalfd(-1, &set, SFD_NONBLOCK);
    sigaddset(&set, SIGUSR2);
    sigaddset(&set, SIGTERM);
    assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
    assert(signalfd(signals, &set, 0) == signals);
    FAILS(signalfd(0, &set, 0), EINVAL);
    FAILS(signalfd(-1, &set, 1), EINVAL);
    FAILS(write(signals, "x", 1), EINVAL);
    assert(!raise(SIGUSR1));
    join(start(other));
    assert(read(signals, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);

    int first, second;
    pthread_t a, b;
    assert(!kill(getpid(), SIGTERM) && !sigpending(&pending) && sigismember(&pending, SIGTERM));
    assert(!pthread_create(&a, NULL, takes, &first) && !pthread_create(&b, NULL, takes, &second));
    join(a);
    join(b);
    assert(first + second == 1);
    outcome(first);
    return 0;
}
