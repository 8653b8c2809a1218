// expect: verified
// SIGPIPE comes to the thread that wrote: its handler runs there at once; blocked it stays pending; ignored it is gone.
#include <signal.h>

#include "outcome.h"

static int ends[2];
static __thread int own;
static int handled;

static void handler(int number)
{
    assert(number == SIGPIPE && own);
    handled++;
}

static void *closer(void *unused)
{
    close(ends[0]);
    return unused;
}

static void pending(void)
{
    sigset_t pipe_signal, there;
    int number;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    assert(!pthread_sigmask(SIG_BLOCK, &pipe_signal, NULL));
    FAILS(write(ends[1], "c", 1), EPIPE);
    assert(!sigpending(&there) && sigismember(&there, SIGPIPE));
    assert(!sigwait(&pipe_signal, &number) && number == SIGPIPE);
    assert(!pthread_sigmask(SIG_UNBLOCK, &pipe_signal, NULL));
}

int main(void)
{
    own = 1;
    assert(signal(SIGPIPE, handler) == SIG_DFL);
    assert(!pipe(ends));
    pthread_t a = start(closer);
    int first = (int)write(ends[1], "a", 1);
    assert(first == 1 ? !handled : handled == 1 && errno == EPIPE);
    outcome(first == 1);
    join(a);
    handled = 0;
    FAILS(write(ends[1], "b", 1), EPIPE);
    assert(handled == 1);
    pending();
    assert(handled == 1);
    assert(signal(SIGPIPE, SIG_IGN) == handler);
    FAILS(write(ends[1], "d", 1), EPIPE);
    assert(handled == 1);
    return 0;
}
