// expect: verified
// The atomic operation comes before the memory is freed.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *count;

static void *add(void *unused)
{
    atomic_fetch_add(count, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    count = calloc(1, sizeof *count);
    pthread_create(&thread, 0, add, 0);
    pthread_join(thread, 0);
    int last = atomic_load(count);
    free((void *)count);
    return last == 77;
}
