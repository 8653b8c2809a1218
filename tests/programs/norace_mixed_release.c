// expect: verified
// An atomic store is something to release, too: the second addition passes it on to the plain read.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int data, flag;

static void *worker(void *unused)
{
    (void)unused;
    if (atomic_load(&flag) == 2)
        return (void *)(size_t) * (int *)&data;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    atomic_fetch_add(&flag, 1);
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_fetch_add(&flag, 1);
    pthread_join(thread, NULL);
    return 0;
}
