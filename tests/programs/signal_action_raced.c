// expect: bug signal
// What a signal does is changed by one thread while another raises it: if that comes first, the process ends.
#include <pthread.h>
#include <signal.h>

static void handle(int number)
{
    (void)number;
}

static void *listen_to_it(void *unused)
{
    signal(SIGUSR1, handle);
    return unused;
}

int main(void)
{
    pthread_t listener;
    pthread_create(&listener, NULL, listen_to_it, NULL);
    raise(SIGUSR1);
    pthread_join(listener, NULL);
}
