// expect: verified
// Real-time signals that are sent twice come twice, while of others one is pending at most.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

static sigset_t set;
static atomic_int sent;

static void *take(void *unused)
{
    int number;
    while (!sent)
        ;
    for (int i = 0; i < 3; i++)
        assert(!sigwait(&set, &number) && number == (i ? SIGRTMIN + 1 : SIGUSR1));
    assert(sigtimedwait(&set, 0, &(struct timespec){0, 0}) == -1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, take, 0);
    for (int i = 0; i < 2; i++) {
        pthread_kill(thread, SIGUSR1);
        pthread_kill(thread, SIGRTMIN + 1);
    }
    sent = 1;
    pthread_join(thread, 0);
}
