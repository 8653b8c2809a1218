// expect: bug signal
// SA_RESETHAND: the handler runs for one of two threads, and the process ends by the signal of the other.
#include <pthread.h>
#include <signal.h>

static void handle(int number)
{
    (void)number;
}

static void *raise_it(void *unused)
{
    raise(SIGUSR1);
    return unused;
}

int main(void)
{
    struct sigaction once = {.sa_handler = handle, .sa_flags = SA_RESETHAND};
    pthread_t one, other;
    sigaction(SIGUSR1, &once, NULL);
    pthread_create(&one, NULL, raise_it, NULL);
    pthread_create(&other, NULL, raise_it, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}
