// expect: bug race
// Nobody reads the variable, so that a compiler could leave it out, and the race with it.
#include <pthread.h>
#include <stddef.h>

static int written;

static void *work(void *unused)
{
    written = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    written = 2;
    pthread_join(thread, NULL);
}
