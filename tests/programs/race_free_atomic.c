// expect: bug race
// The other thread frees what is read atomically here; nothing that it does before depends on the reading.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int other;

static void *work(void *p)
{
    atomic_store(&other, 1);
    free(p);
    return NULL;
}

int main(void)
{
    atomic_int *flag = malloc(sizeof *flag);
    atomic_init(flag, 0);
    pthread_t thread;
    pthread_create(&thread, NULL, work, flag);
    atomic_load(flag);
    pthread_join(thread, NULL);
}
