// expect: verified executions=6
// Read-modify-writes that store what was there. One that releases what it did before is a write to the two loads; one
// that releases nothing, or nothing new, is a read: 3 places of the first among two loads of another thread, times the
// 2 orders of a store and a relaxed one.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

int data;
static atomic_int flag, other;

static void *worker(void *unused)
{
    (void)unused;
    atomic_load(&flag);
    atomic_load(&flag);
    atomic_store(&other, 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    data = 1;
    atomic_fetch_or(&flag, 0);
    atomic_fetch_or(&flag, 0); // a read
    atomic_fetch_add_explicit(&other, 0, memory_order_relaxed); // another
    pthread_join(thread, NULL);
    return data - 1;
}
