// expect: verified
// A counter is read for the last time before its block is freed.
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
    pthread_join(thread, NULL);
    atomic_store(&gone, 1);
    free(counter);
    return 0;
}
