// ./lost_update THREADS: each thread adds 1 to a counter by a load and a store. Updates are lost with two or more.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int counter;

static void *worker(void *unused)
{
    (void)unused;
#ifdef REPAIRED
    atomic_fetch_add(&counter, 1);
#else
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[8];
    int n = argc > 1 ? atoi(argv[1]) : 2;
    for (int i = 0; i < n; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < n; i++)
        pthread_join(thread[i], NULL);
    assert(counter == n);
    return 0;
}
