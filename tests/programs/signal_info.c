// expect: verified
// Where a signal came from: for one that was sent to a thread, the C library says the same as for one to the process.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    sigset_t signals;
    siginfo_t info;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    assert(sigwaitinfo(&signals, &info) == SIGUSR1);
    assert(info.si_code == SI_USER && info.si_pid == getpid());
}
