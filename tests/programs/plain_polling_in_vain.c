// expect: bug livelock options: --races off
// Nobody writes what the two threads look at, and each only sees the other go round.
#include <pthread.h>

static int never;

static void *work(void *unused)
{
    while (!never)
        __asm__ volatile("" ::: "memory"); // looks again
    return unused;
}

int main(int count, char **arguments)
{
    (void)arguments;
    if (count > 1)
        never = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
}
