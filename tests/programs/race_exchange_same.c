// expect: bug race
// The exchange stores what was there, but releases: the race shows only if the load comes before it.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int data;
static atomic_int flag;

static void *worker(void *unused)
{
    (void)unused;
    atomic_load(&flag);
    data = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    data = 1;
    atomic_exchange(&flag, 0);
    pthread_join(thread, NULL);
    return 0;
}
