// expect: incomplete
// A handler that would run in another thread is refused, not left out.
#include <pthread.h>
#include <signal.h>

static void handler(int number)
{
    (void)number;
}

static void *run(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, run, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    return 0;
}
