// expect: bug out-of-bounds
// An atomic counter one element behind an array, in a thread beside another.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *counters;

static void *count(void *argument)
{
    atomic_fetch_add(&counters[(long)argument], 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[2];
    counters = calloc(1, sizeof *counters);
    for (long i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, count, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    free(counters);
    return 0;
}
