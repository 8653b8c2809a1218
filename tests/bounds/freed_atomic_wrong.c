// expect: bug use-after-free
// A counter is raised after its block was freed, in one order of two threads.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *counter;
static atomic_int gone;

static void *count(void *argument)
{
    if (!atomic_load(&gone))
        atomic_fetch_add(counter, 1);
    return argument;
}

int main(void)
{
    pthread_t thread;
    counter = calloc(1, sizeof *counter);
    pthread_create(&thread, NULL, count, NULL);
    atomic_store(&gone, 1);
    free(counter);
    pthread_join(thread, NULL);
    return 0;
}
