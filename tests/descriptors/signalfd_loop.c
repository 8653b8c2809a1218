// expect: verified
// An event loop that is told to stop by a signal to the process; each signal is told once.
#include "outcome.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>

static int pipes[2], signals;

static void *loop(void *unused)
{
    int both = epoll_create1(0), got = 0;
    struct epoll_event wanted = {.events = EPOLLIN, .data.fd = pipes[0]}, told[2];
    assert(!epoll_ctl(both, EPOLL_CTL_ADD, pipes[0], &wanted));
    wanted = (struct epoll_event){.events = EPOLLIN | EPOLLET, .data.fd = signals};
    assert(!epoll_ctl(both, EPOLL_CTL_ADD, signals, &wanted));
    for (;;) {
        int n = epoll_wait(both, told, 2, -1);
        assert(n > 0);
        for (int i = 0; i < n; i++) {
            struct signalfd_siginfo info;
            char c;
            if (told[i].data.fd == pipes[0]) {
                assert(read(pipes[0], &c, 1) == 1);
                got++;
                continue;
            }
            assert(read(signals, &info, sizeof info) == sizeof info);
            assert(info.ssi_signo == SIGTERM && info.ssi_code == SI_USER && (pid_t)info.ssi_pid == getpid());
            FAILS(read(signals, &info, sizeof info), EAGAIN);
            outcome(got);
            return unused;
        }
    }
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
    signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    assert(signals >= 0 && !pipe(pipes));
    pthread_t t = start(loop);
    assert(write(pipes[1], "x", 1) == 1);
    assert(!kill(getpid(), SIGTERM));
    join(t);
    return 0;
}
