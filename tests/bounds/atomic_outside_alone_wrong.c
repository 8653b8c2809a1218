// expect: bug out-of-bounds
// One element beyond the end, atomically, when nobody else is there.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *counts;

static void *add(void *unused)
{
    atomic_fetch_add(&counts[2], 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    counts = calloc(3, sizeof *counts);
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    atomic_store(&counts[3], 1);
    free((void *)counts);
    return 0;
}
