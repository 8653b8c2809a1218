// expect: incomplete
// Heddle's number of the process is nobody's to the kernel, or somebody else's.
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    assert(!sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 5}));
}
