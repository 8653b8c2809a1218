// expect: bug use-after-free
// Everybody else has ended: an atomic operation on freed memory is wrong all the same.
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
    free((void *)count);
    return atomic_load(count) == 77;
}
