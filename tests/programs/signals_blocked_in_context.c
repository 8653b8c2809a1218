// expect: verified
// A context has its own set of blocked signals: what is pending comes when the thread goes back to one that does not block it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <ucontext.h>

static _Thread_local ucontext_t outer, inner;
static int handled;

static void handle(int number)
{
    (void)number;
    handled++;
}

static void block_and_raise(void)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
    raise(SIGUSR1);
    assert(handled == 0);
}

static void *run_context(void *unused)
{
    static char stack[65536];
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, block_and_raise, 0);
    swapcontext(&outer, &inner);
#ifdef WRONG
    assert(handled == 0);
#else
    assert(handled == 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, run_context, NULL);
    pthread_join(thread, NULL);
}
