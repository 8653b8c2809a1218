// expect: bug signal
// A signal without a handler ends the process, whichever thread it is sent to.
#include <pthread.h>
#include <signal.h>

static void *run(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_kill(t, SIGTERM);
    pthread_join(t, NULL);
    return 0;
}
