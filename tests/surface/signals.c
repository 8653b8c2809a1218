// expect: verified reach=6
// Signals to threads: masks, pthread_kill, raise, sigwait and its relatives, errors.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "reach.h"

static volatile sig_atomic_t handled, in_handler_blocked;

static void handler(int number)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    in_handler_blocked = sigismember(&now, number);
    handled++;
}

static sigset_t set_of(int first, int second)
{
    sigset_t s;
    sigemptyset(&s);
    sigaddset(&s, first);
    if (second)
        sigaddset(&s, second);
    return s;
}

// To itself: at once, or when it is unblocked.
static void own(void)
{
    sigset_t one = set_of(SIGUSR1, 0), before, pending;
    struct sigaction action = {.sa_handler = handler}, old;
    assert(sigaction(SIGUSR1, &action, &old) == 0 && old.sa_handler == SIG_DFL);
    assert(sigaction(SIGKILL, &action, NULL) == -1 && errno == EINVAL);
    assert(raise(SIGUSR1) == 0 && handled == 1 && in_handler_blocked);
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == 2);
    assert(pthread_sigmask(99, &one, NULL) == EINVAL);
    assert(pthread_sigmask(SIG_BLOCK, &one, &before) == 0 && !sigismember(&before, SIGUSR1));
    assert(raise(SIGUSR1) == 0 && handled == 2);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1));
    assert(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0 && handled == 3);
    assert(signal(SIGUSR1, SIG_IGN) == handler && raise(SIGUSR1) == 0 && handled == 3);
    assert(pthread_kill(pthread_self(), 0) == 0 && pthread_kill(pthread_self(), 999) == EINVAL);
    assert(raise(SIGCHLD) == 0); // nobody notices
}

static void *taker(void *unused)
{
    sigset_t both = set_of(SIGUSR1, SIGUSR2);
    siginfo_t info;
    struct timespec nothing = {0}, wrong = {.tv_nsec = -1};
    int first, second;
    assert(sigtimedwait(&both, &info, &wrong) == -1 && errno == EINVAL);
    first = sigtimedwait(&both, &info, &nothing);
    if (first < 0) {
        assert(errno == EAGAIN);
        REACHED(1);
        assert(sigwait(&both, &first) == 0);
    } else {
        REACHED(2);
        assert(info.si_signo == first);
    }
    second = sigwaitinfo(&both, NULL);
    assert(first != second && first + second == SIGUSR1 + SIGUSR2);
    if (first == SIGUSR1)
        REACHED(3);
    else
        REACHED(4);
    return unused;
}

static void *sender(void *to)
{
    assert(pthread_kill(*(pthread_t *)to, SIGUSR2) == 0);
    return to;
}

static void *inherits(void *unused)
{
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    assert(sigismember(&now, SIGUSR2));
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t, other;
    sigset_t both = set_of(SIGUSR1, SIGUSR2);
    begin(argc, argv);
    own();
    signal(SIGUSR1, SIG_DFL);
    assert(sigprocmask(SIG_BLOCK, &both, NULL) == 0);
    pthread_create(&t, NULL, inherits, NULL);
    pthread_join(t, NULL);
    REACHED(5);
    pthread_create(&t, NULL, taker, NULL);
    pthread_create(&other, NULL, sender, &t);
    assert(pthread_kill(t, SIGUSR1) == 0);
    pthread_join(other, NULL);
    pthread_join(t, NULL);
    REACHED(6);
    return 0;
}
