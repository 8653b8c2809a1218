// expect: verified
// Signals to the process: to the only thread that lets them through, or to who takes them.
#include "outcome.h"

#include <signal.h>

static volatile sig_atomic_t handled;
static sigset_t set;
static int stopped;

static void handler(int number) { handled += number == SIGHUP; }

static void *waits(void *unused)
{
    int number;
    assert(!sigwait(&set, &number) && number == SIGTERM);
    __atomic_store_n(&stopped, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    signal(SIGHUP, handler);
    assert(!kill(getpid(), SIGHUP) && handled == 1);
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    assert(!pthread_sigmask(SIG_BLOCK, &set, NULL));
    pthread_t t = start(waits);
    assert(!kill(getpid(), SIGTERM));
    outcome(__atomic_load_n(&stopped, __ATOMIC_SEQ_CST));
    join(t);
    assert(!kill(getpid(), SIGHUP) && handled == 1);
    assert(!pthread_sigmask(SIG_UNBLOCK, &set, NULL) && handled == 2);
    return 0;
}
